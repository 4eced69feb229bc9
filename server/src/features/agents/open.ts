import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { createBatch } from '../../foundation/db/batch.js'
import { createLastSeen, type LastSeen } from './last-seen.js'
import { createMe } from './me.js'

/** The in-process state of agents. */
export interface Agents {
  /** Reads an agent as it sees itself, as JSON, and records that it is alive, in one batch with concurrent calls. */
  me(agent: AgentIdentity): Promise<string>
  readonly lastSeen: LastSeen
}

export function openAgents(deps: Pick<Deps, 'db' | 'clock' | 'log'>): Agents {
  const onError = (error: Error) => deps.log.warn({ message: error.message }, 'agents are noted as seen later')
  return {
    me: createBatch<AgentIdentity, string>(createMe(deps)),
    lastSeen: createLastSeen({ ...deps, onError }),
  }
}
