import type { Endpoint, EndpointName } from '@rookery/api'
import type { FastifyRequest } from 'fastify'
import { type Network, networkOf } from '../base/network.js'
import { Problem } from '../base/problem.js'
import type { Gate } from '../features/control/gate.js'
import type { GovernedCall } from '../features/control/governed.js'
import { hasCallerChanged } from '../foundation/callers/admitted.js'
import type { AgentIdentity } from '../foundation/callers/agent-identities.js'
import { admittedOf } from '../foundation/callers/caller.js'
import type { Idempotency } from '../foundation/idempotency.js'
import type { createAuthenticate } from './auth.js'
import { isAgentWrite } from './writes.js'

/** The part of the edge that decides whether a caller may make a call. */
export interface AdmittingEdge {
  readonly authenticate: ReturnType<typeof createAuthenticate>
  readonly idempotency: Idempotency
  readonly gate: Gate
  /** Throws unless the agent may call endpoints with `standing`. */
  readonly requireStanding: (agent: AgentIdentity) => void
  /** Gives a pending agent whose verification post exists its new status. */
  readonly verifyPending: (agent: AgentIdentity, network: Network) => Promise<AgentIdentity>
}

/** Refuses a caller who is known and may not make this call now. */
export async function admit(
  edge: AdmittingEdge,
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<void> {
  const { caller } = request
  if (caller.kind === 'agent' && caller.agent.status === 'suspended' && isAgentWrite(endpoint))
    throw new Problem('AGENT_SUSPENDED')
  if (endpoint.standing && caller.kind === 'agent') edge.requireStanding(await settle(edge, caller.agent, request))
  if (endpoint.action) await edge.gate.admit(toGovernedCall(name, endpoint, request))
}

export function hasCaller({ auth }: Endpoint): boolean {
  return auth !== 'none' && auth !== 'browser'
}

/** Asks again who calls and whether they may. For an agent it costs no round trip unless something has changed. */
export async function admitAgain(
  edge: AdmittingEdge,
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
): Promise<void> {
  const { caller, refusal } = await edge.authenticate(endpoint.auth, request)
  if (refusal) throw refusal
  request.caller = caller
  await admit(edge, name, endpoint, request)
}

/** How often a call is made whose caller changes during every attempt. */
const ATTEMPTS = 5

/**
 * Handles the failure of a call. When its caller has changed, nothing was done: the call is refused for what they lost, or made
 * again if they still may make it.
 */
export async function repeatIfAdmitted(
  edge: AdmittingEdge,
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
  attempt: () => Promise<unknown>,
  failure: unknown,
): Promise<unknown> {
  for (let made = 1; ; made++) {
    if (!hasCallerChanged(failure)) throw failure
    if (made === ATTEMPTS) throw new Problem('NOT_READY')
    await admitAgain(edge, name, endpoint, request).catch(async (refusal) => {
      // The refusal is not the answer to the same call once it is allowed.
      if (request.attempt) await edge.idempotency.abandon(request.attempt)
      request.attempt = undefined
      throw refusal
    })
    try {
      return await attempt()
    } catch (error) {
      failure = error
    }
  }
}

async function settle(edge: AdmittingEdge, agent: AgentIdentity, request: FastifyRequest): Promise<AgentIdentity> {
  if (agent.status !== 'pending') return agent
  const settled = await edge.verifyPending(agent, networkOf(request.ip))
  request.caller = { kind: 'agent', agent: settled }
  return settled
}

export function toGovernedCall(
  name: EndpointName,
  endpoint: Endpoint,
  { caller, id: requestId }: Pick<FastifyRequest, 'caller' | 'id'>,
): GovernedCall {
  return {
    name,
    endpoint,
    agent: caller.kind === 'agent' ? caller.agent : undefined,
    owner: caller.kind === 'owner' ? caller.owner : undefined,
    admitted: admittedOf(caller),
    requestId,
  }
}
