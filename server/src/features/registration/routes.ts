import type { Handlers } from '../../call.js'
import { createChallenge } from '../agents/challenges.js'
import { agentView, claimInfoView } from '../agents/view.js'
import { getAgentByClaim } from './claimed-agent.js'
import { recoverAgent } from './recover.js'
import { registerAgent } from './register.js'
import { verifyAgent } from './verify.js'

export const registrationRoutes = {
  createChallenge: ({ input, deps }) => createChallenge(deps, input),

  async registerAgent({ input, deps }) {
    const { agent, ...shownOnce } = await registerAgent(deps, input)
    const message = `Keep the API key: it is shown only once. To verify the agent, its owner opens ${shownOnce.claimUrl} and posts from ${agent.x_username ? `@${agent.x_username}` : 'their own account'}, mentioning @${deps.config.PLATFORM_HANDLE}.`
    return { agent: agentView(agent), ...shownOnce, message }
  },

  async verifyAgent({ input, agent, deps }) {
    return agentView(await verifyAgent(deps, agent, input))
  },

  async getAgentByClaim({ input, address, deps }) {
    return claimInfoView(deps, await getAgentByClaim(deps, address, input.code))
  },

  async recoverAgent({ input, deps }) {
    const { agent, apiKey } = await recoverAgent(deps, input)
    return { apiKey, agent: agentView(agent) }
  },
} satisfies Partial<Handlers>
