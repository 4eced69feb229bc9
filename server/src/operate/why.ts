import type { KeptRefusal, KeptSpan } from '../foundation/refusals/queries.js'
import { answer, type Command, withDeps } from './command.js'

export const why: Command = {
  name: 'why',
  arguments: ['<request id>'],
  summary: 'say why a call was refused',
  run: (config, [requestId = '']) =>
    withDeps(config, async (deps) => {
      const { findRefusals, getKeptSpan } = await import('../foundation/refusals/queries.js')
      const refusals = await findRefusals(deps.db, requestId)
      if (refusals.length > 0) return answer({ refusals }, refusals.map(describe).join('\n\n'))
      const span = await getKeptSpan(deps.db)
      return { text: describeNothing(requestId, span), data: { refusals, kept: span }, exitCode: 1 }
    }),
}

function describe(call: KeptRefusal): string {
  const { agent } = call
  const lines = [
    `${call.at}  ${call.method} ${call.route}  ${call.status} ${call.code}`,
    `reason    ${call.message}`,
    `caller    ${agent ? `@${agent.username ?? '?'} (${agent.id}), from ` : ''}${call.network}`,
    `counts as ${call.limitClass ?? 'nothing'}`,
    `instance  ${call.instanceId}`,
  ]
  return lines.join('\n')
}

function describeNothing(requestId: string, { calls, since, leftOut }: KeptSpan): string {
  if (since === null) return `Nothing is kept about ${requestId}: no refused call is.`
  const gap = leftOut === 0 ? '' : ` ${leftOut} calls more were refused in that time, too many at once to keep each.`
  return (
    `Nothing is kept about ${requestId}: it was not refused, or before ${since}, or within the last second. ` +
    `${calls} refused calls are kept since then.${gap}`
  )
}
