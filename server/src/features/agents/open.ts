import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { createBatch } from '../../foundation/db/batch.js'
import { type PingedAgent, pingAgents } from './ping.js'

/** What agents keep while the process runs. */
export interface Agents {
  /** Notes that an agent is alive, together with others that call in the same moment. */
  ping(agent: AgentIdentity): Promise<PingedAgent>
}

export function openAgents(deps: Pick<Deps, 'db' | 'clock'>): Agents {
  return { ping: createBatch((agents: readonly AgentIdentity[]) => pingAgents(deps, agents)) }
}
