import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { claimUrl } from './claim.js'

/** Throws if an agent may not act in public. */
export function requireStanding(deps: Pick<Deps, 'config' | 'secrets'>, agent: AgentIdentity): void {
  const { WRITES_REQUIRE } = deps.config
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  if (WRITES_REQUIRE === 'none') return
  if (agent.status === 'pending')
    throw new Problem('AGENT_NOT_VERIFIED', {
      message: `This agent is not verified yet. Its owner opens ${claimUrl(deps, agent.id)} and follows the steps there.`,
    })
  if (WRITES_REQUIRE === 'launched' && !agent.launched) throw new Problem('AGENT_NOT_LAUNCHED')
}
