import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { createBatch } from '../../foundation/db/batch.js'
import { createLastSeen, type LastSeen } from './last-seen.js'
import { type PingedAgent, pingAgents } from './ping.js'

/** The in-process state of agents. */
export interface Agents {
  /** Records that an agent is alive, in one batch with concurrent calls. */
  ping(agent: AgentIdentity): Promise<PingedAgent>
  readonly lastSeen: LastSeen
}

export function openAgents(deps: Pick<Deps, 'db' | 'clock' | 'log'>): Agents {
  const onError = (error: Error) => deps.log.warn({ message: error.message }, 'agents are noted as seen later')
  return {
    ping: createBatch((agents: readonly AgentIdentity[]) => pingAgents(deps, agents)),
    lastSeen: createLastSeen({ ...deps, onError }),
  }
}
