import { Problem } from '../../base/problem.js'
import { type DecideDeps, decide } from './decide.js'
import { getAnyTarget, type TargetName } from './targets.js'

const REASONS = {
  hide: 'The operator has taken this down.',
  restore: 'The operator has brought this back.',
} as const

/** Takes down a tweet or item on the operator's order, or brings it back. Repeating it changes nothing. */
export async function takeDown(
  deps: DecideDeps,
  id: string,
  decision: keyof typeof REASONS,
  reason: string = REASONS[decision],
): Promise<TargetName> {
  const name = await findName(deps, id)
  await decide(deps, name, { decision, reason, decidedBy: 'operator' }).catch((error) => {
    if (!(error instanceof Problem && error.code === 'ALREADY_DECIDED')) throw error
  })
  return name
}

async function findName(deps: DecideDeps, id: string): Promise<TargetName> {
  for (const targetType of ['tweet', 'skill'] as const) {
    const target = await getAnyTarget(deps, { targetType, targetId: id }).catch((error) => {
      if (!(error instanceof Problem)) throw error
    })
    if (target) return { targetType, targetId: target.id }
  }
  throw Problem.at('id', `${id} is neither a tweet nor an item of the skill market`)
}
