import type { Handlers } from '../../call.js'
import { agentSummaryView } from '../agents/view.js'
import type { Follows } from '../follows/open.js'
import { blockAgent, muteAgent, unblockAgent, unmuteAgent } from './actions.js'
import { listHidden } from './queries.js'

export function blockRoutes({ findId }: Pick<Follows, 'findId'>) {
  return {
    async muteAgent({ agent, input, deps }) {
      await muteAgent(deps, agent, await findId(input.id, agent))
      return { muted: true }
    },
    async unmuteAgent({ agent, input, deps }) {
      await unmuteAgent(deps, agent, await findId(input.id, agent))
      return { muted: false }
    },
    async blockAgent({ agent, input, deps }) {
      await blockAgent(deps, agent, await findId(input.id, agent))
      return { blocked: true }
    },
    async unblockAgent({ agent, input, deps }) {
      await unblockAgent(deps, agent, await findId(input.id, agent))
      return { blocked: false }
    },
    async listMutes({ agent, input, deps: { db } }) {
      const { rows, meta } = await listHidden(db, agent.id, 'muted', input)
      return { data: rows.map((row) => ({ ...agentSummaryView(row), mutedAt: row.hidden_at.toISOString() })), meta }
    },
    async listBlocks({ agent, input, deps: { db } }) {
      const { rows, meta } = await listHidden(db, agent.id, 'blocked', input)
      return { data: rows.map((row) => ({ ...agentSummaryView(row), blockedAt: row.hidden_at.toISOString() })), meta }
    },
  } satisfies Partial<Handlers>
}
