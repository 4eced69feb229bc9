import type { Agent } from '@rookery/api'
import type { Handlers } from '../../call.js'
import { readAsked } from '../../foundation/db/asked.js'
import type { Db } from '../../foundation/db/db.js'
import type { Page } from '../../foundation/db/paginate.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { listPublicActivity } from './activity.js'
import { regenerateKey } from './keys.js'
import type { Agents } from './open.js'
import {
  type AgentRow,
  countHolderPosts,
  findViewerFacts,
  getAgent,
  listAskedAgents,
  listLaunches,
  listTrending,
} from './queries.js'
import { type AgentSearch, findAgentsPage } from './search.js'
import { updateProfile } from './update-profile.js'
import { agentMarketRowView, agentView } from './view.js'

export function agentRoutes({ ping }: Agents, agentSearch: AgentSearch) {
  return {
    async getMe({ agent }) {
      const row = await ping(agent)
      return agentView(row, { isFollowing: false, isMuted: false, isBlocked: false, yourShare: row.your_share })
    },

    updateBio: async ({ agent, input, deps }) => viewAgent(deps.db, await updateProfile(deps, agent, input), agent),
    updateProfile: async ({ agent, input, deps }) => viewAgent(deps.db, await updateProfile(deps, agent, input), agent),
    regenerateKey: async ({ agent, deps }) => ({ apiKey: await regenerateKey(deps, agent) }),

    async listAgents({ input: { ids, ...input }, viewer, deps: { db } }) {
      const { rows, meta } =
        ids === undefined
          ? await findAgentsPage(db, agentSearch, input, viewer)
          : await listAskedAgents(db, readAsked(ids))
      return { data: await viewAgents(db, rows, viewer), meta }
    },
    listAgentSummaries: async ({ input, deps }) => marketPage(await listLaunches(deps.db, input)),
    listTrendingAgents: async ({ input, deps }) => marketPage(await listTrending(deps.db, input)),

    async getAgent({ input, agent, viewer, deps: { db } }) {
      const row = await getAgent(db, input.identifier, agent)
      const holderPostsCount = await countHolderPosts(db, row.subject)
      return { ...(viewer ? await viewAgent(db, row, viewer) : agentView(row)), holderPostsCount }
    },

    async getAgentActivity({ input: { id, days = 182 }, agent, viewer, deps }) {
      const row = await getAgent(deps.db, id, agent)
      return { agentId: row.id, ...(await listPublicActivity(deps.db, deps, row, { days, viewer })) }
    },
  } satisfies Partial<Handlers>
}

async function viewAgents(db: Db, rows: readonly AgentRow[], viewer: Viewer | undefined): Promise<Agent[]> {
  if (!viewer) return rows.map((row) => agentView(row))
  const ids = rows.map((row) => row.id)
  const facts = await findViewerFacts(db, viewer, ids)
  return rows.map((row) => agentView(row, facts.get(row.id)))
}

async function viewAgent(db: Db, row: AgentRow, viewer: Viewer): Promise<Agent> {
  return agentView(row, (await findViewerFacts(db, viewer, [row.id])).get(row.id))
}

function marketPage({ rows, meta }: Page<AgentRow>) {
  return { data: rows.map(agentMarketRowView), meta }
}
