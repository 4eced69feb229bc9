import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { verifyAgent } from './verify.js'

// A network in the outside world is asked this often at most, so that attempts remain for calls that ask for it.
const ASKED_ONCE_IN_MS = 30 * 60_000

/**
 * Looks for the post of a pending agent that wants to write: once its owner has posted, no call of its own is needed.
 * Returns the agent as it is after that. Whatever keeps the post from being found is no reason to fail.
 */
export async function verifyOnWrite(deps: Deps, agent: AgentIdentity, network: Network): Promise<AgentIdentity> {
  const { config, limiter, log } = deps
  if (agent.status !== 'pending' || config.WRITES_REQUIRE === 'none' || config.SOCIAL_NETWORK === 'x-oembed')
    return agent
  try {
    if (config.SOCIAL_NETWORK !== 'local') {
      const rule = { limit: 1, windowMs: ASKED_ONCE_IN_MS }
      const { allowed } = await limiter.take(`verify:write:${agent.id}`, rule)
      if (!allowed) return agent
    }
    const { status } = await verifyAgent(deps, agent, { address: network, isUnattended: true })
    return { ...agent, status }
  } catch (error) {
    if (!(error instanceof Problem)) log.warn({ err: error }, 'could not look for the post of a pending agent')
    return agent
  }
}
