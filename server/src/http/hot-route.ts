import type { Endpoint, EndpointName } from '@rookery/api'
import type { Deps } from '../deps.js'
import type { CallEntry } from '../foundation/audit/actions.js'
import type { AgentIdentity } from '../foundation/callers/agent-identities.js'
import type { Db } from '../foundation/db/db.js'
import { type AdmittingEdge, toGovernedCall } from './admit.js'
import { callContext } from './call-context.js'
import { inputOf } from './call-input.js'
import type { HotCall, HotRoute } from './hot.js'
import type { SharedAnswers } from './shared-answers.js'

type Handle = (call: { input: object; address: string } & Record<string, unknown>) => unknown

/** The name of an answer that anonymous callers share. */
export function sharedKey(name: EndpointName, input: object): string {
  return `${name} ${JSON.stringify(input)}`
}

interface HotEdge extends Pick<AdmittingEdge, 'gate' | 'requireStanding'> {
  readonly deps: Deps
  readonly sharedAnswers: SharedAnswers
}

/** The way of a call that passes by the framework. */
export function createHotRoute(
  edge: HotEdge,
  name: EndpointName,
  endpoint: Endpoint,
  handle: Handle,
  write: (answer: unknown) => string | Buffer,
): HotRoute {
  requireSimple(name, endpoint)
  const { deps, sharedAnswers } = edge
  const isWrite = endpoint.method !== 'GET'
  const run = async (call: HotCall) => {
    const { input, caller, requestId: id } = call
    const work = (db: Db, entry?: CallEntry) =>
      handle({ ...call, deps: { ...deps, db }, entry, ...callContext(endpoint, caller) })
    return edge.gate.run(toGovernedCall(name, endpoint, { caller, id }), input, work)
  }
  const make = async (call: HotCall) => {
    if (isWrite) return write(await run(call))
    const answer = await handle({ ...call, deps, entry: undefined, ...callContext(endpoint, call.caller) })
    return write(answer)
  }
  return {
    endpoint,
    isWrite,
    readInput: (request) => inputOf(endpoint, request),
    admits: (agent) => !isWrite || isUnhindered(edge, agent),
    answer(call) {
      if (!endpoint.shared || call.caller.kind !== 'anyone') return make(call)
      const key = sharedKey(name, call.input)
      return sharedAnswers.findFresh(key) ?? sharedAnswers.read(key, async () => Buffer.from(await make(call)))
    },
  }
}

/**
 * Stops the start if an endpoint needs more than this way does. A write is one that an agent names nothing for but an id, and
 * that may be repeated.
 */
function requireSimple(name: EndpointName, endpoint: Endpoint): void {
  const { method, auth, body, query, action, standing, daily, charge, secret, fixed, media, alternate } = endpoint
  const isRead = method === 'GET' && (auth === 'optional' || auth === 'agent') && !action && !standing && !daily
  const isWrite = method === 'POST' && auth === 'agent' && !body && !query && action && standing && !charge
  if (!(isRead || isWrite) || secret || fixed || media || alternate)
    throw new Error(`${name} needs more than the hot way does`)
}

/** Whether an agent may write as agents do; for one that may not, the framework knows why. */
function isUnhindered({ requireStanding }: HotEdge, agent: AgentIdentity): boolean {
  if (agent.status !== 'active' || agent.frozen) return false
  try {
    requireStanding(agent)
    return true
  } catch {
    return false
  }
}
