import { Problem } from '../../base/problem.js'
import { type AgentIdentity, getIdentity } from '../../foundation/callers/agent-identities.js'
import type { OwnerIdentity } from '../../foundation/callers/session-tokens.js'
import type { Db } from '../../foundation/db/db.js'
import { listOwnedAgents } from './queries.js'

/** The caller of an endpoint that is open to both agents and owners. */
export type AgentOrOwner =
  | { readonly kind: 'agent'; readonly agent: AgentIdentity }
  | { readonly kind: 'owner'; readonly owner: OwnerIdentity }

/** The agent on whose behalf a call is made: the calling agent, or the first agent of the calling owner. */
export async function getActingAgent(db: Db, caller: AgentOrOwner): Promise<AgentIdentity> {
  if (caller.kind === 'agent') return caller.agent
  const [agent] = await listOwnedAgents(db, caller.owner)
  if (!agent) throw new Problem('NOT_THE_OWNER')
  return getIdentity(db, agent.id)
}
