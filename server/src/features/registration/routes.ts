import { Problem } from '../../base/problem.js'
import type { Handlers } from '../../call.js'
import { createChallenge } from '../agents/challenges.js'
import { postText } from '../agents/claim.js'
import { getAgent } from '../agents/queries.js'
import { agentView, claimInfoView } from '../agents/view.js'
import { getOwnedAgent } from '../owners/queries.js'
import { getAgentByClaim } from './claimed-agent.js'
import { completeRelink, objectToRelink } from './complete-relink.js'
import { sayNextSteps } from './next-steps.js'
import { cancelRecovery, objectToRecovery } from './object-recovery.js'
import { recoverAgent } from './recover.js'
import { recoveryView } from './recovery-rows.js'
import { registerAgent } from './register.js'
import { cancelRelink, startRelink } from './relink.js'
import { findLastRelink, relinkView } from './relink-rows.js'
import { verifyAgent } from './verify.js'

export const registrationRoutes = {
  createChallenge: ({ input, deps }) => createChallenge(deps, input),

  async registerAgent({ input, address, deps }) {
    const { agent, ...shownOnce } = await registerAgent(deps, address, input)
    const post = postText(deps.config, agent.username, shownOnce.verificationCode)
    const { message, nextSteps } = sayNextSteps(deps.config, { agent, post, claimUrl: shownOnce.claimUrl })
    return { agent: agentView(agent), ...shownOnce, postText: post, message, nextSteps }
  },

  async verifyAgent({ input, agent, address, deps }) {
    return agentView(await verifyAgent(deps, agent, { ...input, address }))
  },

  async getAgentByClaim({ input, address, deps }) {
    return claimInfoView(deps, await getAgentByClaim(deps, address, input.code))
  },

  async startRelink({ input, address, deps }) {
    const { relink, agent, code } = await startRelink(deps, address, input)
    return {
      relink: relinkView(relink, deps.clock.now()),
      verificationCode: code,
      postText: postText(deps.config, agent.username, code),
    }
  },

  async getRelink({ input, agent, deps }) {
    const relink = await findLastRelink(deps.db, (await getAgent(deps.db, input.id, agent)).id)
    if (!relink) throw new Problem('RELINK_NOT_FOUND')
    return relinkView(relink, deps.clock.now())
  },

  async completeRelink({ input: { id, ...input }, address, deps }) {
    const agent = await getAgent(deps.db, id)
    return relinkView(await completeRelink(deps, agent, { ...input, address }), deps.clock.now())
  },

  cancelRelink: async ({ input, address, deps }) =>
    relinkView(await cancelRelink(deps, address, input), deps.clock.now()),

  async objectToRelink({ owner, input, requestId, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, input.id)
    return relinkView(await objectToRelink(deps, agent, { requestId }), deps.clock.now())
  },

  cancelRecovery: async ({ agent, requestId, deps }) =>
    recoveryView(await cancelRecovery(deps, agent.id, { requestId }), deps.clock.now()),

  async objectToRecovery({ owner, input, requestId, deps }) {
    const agent = await getOwnedAgent(deps.db, owner, input.id)
    return recoveryView(await objectToRecovery(deps, agent.id, { requestId }), deps.clock.now())
  },

  async recoverAgent({ input, address, deps }) {
    const { agent, apiKey } = await recoverAgent(deps, address, input)
    return { apiKey, agent: agentView(agent) }
  },
} satisfies Partial<Handlers>
