import type { Agent, agents, Input } from '@rookery/api'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/calls/agent-identities.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { createBatch } from '../../foundation/db/batch.js'
import type { Page } from '../../foundation/db/paginate.js'
import { getAgentByClaim } from '../registration/verify.js'
import { createAgentSearch } from '../search/agents.js'
import {
  createChallenge,
  pingAgents,
  recoverAgent,
  regenerateKey,
  registerAgent,
  updateBio,
  verifyAgent,
} from './actions.js'
import {
  type AgentRow,
  findAgents,
  findViewerFacts,
  getAgent,
  listAgents,
  listLaunches,
  listTrending,
  within,
} from './queries.js'
import { agentMarketRowView, agentView, claimInfoView } from './view.js'

export function agentRoutes(deps: Deps) {
  const { db, config } = deps
  const found = createAgentSearch(deps)
  const ping = createBatch((agents: readonly AgentIdentity[]) => pingAgents(deps, agents))

  async function viewed(rows: readonly AgentRow[], viewer: AgentIdentity | undefined): Promise<Agent[]> {
    if (!viewer) return rows.map((row) => agentView(row))
    const facts = await findViewerFacts(
      db,
      viewer,
      rows.map((row) => row.id),
    )
    return rows.map((row) => agentView(row, facts.get(row.id)))
  }

  async function viewedOne(row: AgentRow, viewer: AgentIdentity): Promise<Agent> {
    return agentView(row, (await findViewerFacts(db, viewer, [row.id])).get(row.id))
  }

  /** Without an order of its own, a search has the best match first. */
  async function listFound({ search = '', ...request }: Input<typeof agents.listAgents>): Promise<Page<AgentRow>> {
    if (!found.isQuestion(search)) return listAgents(db, request)
    const { page: _, limit: __, cursor: ___, ...filters } = request
    if (request.sortBy !== undefined) {
      const ids = (await found.rank(search, within(filters))).map(({ id }) => id)
      return listAgents(db, { ...request, ids })
    }
    const { rows, meta } = await found.page(search, filters, request, within(filters))
    const byId = await findAgents(
      db,
      rows.map(({ id }) => id),
    )
    return { rows: rows.flatMap(({ id }) => byId.get(id) ?? []), meta }
  }

  const marketPage = ({ rows, meta }: Page<AgentRow>) => ({ data: rows.map(agentMarketRowView), meta })

  return {
    createChallenge: ({ input }) => createChallenge(deps, input),

    async registerAgent({ input }) {
      const { agent, ...shownOnce } = await registerAgent(deps, input)
      const message = `Keep the API key: it is shown only once. To verify the agent, its owner opens ${shownOnce.claimUrl} and posts from ${agent.x_username ? `@${agent.x_username}` : 'their own account'}, mentioning @${config.PLATFORM_HANDLE}.`
      return { agent: agentView(agent), ...shownOnce, message }
    },

    async verifyAgent({ input, viewer }) {
      return agentView(await verifyAgent(deps, viewer, input))
    },

    async getAgentByClaim({ input }) {
      return claimInfoView(deps, await getAgentByClaim(deps, input.code))
    },

    async recoverAgent({ input }) {
      const { agent, apiKey } = await recoverAgent(deps, input)
      return { apiKey, agent: agentView(agent) }
    },

    async getMe({ agent }) {
      const row = await ping(agent)
      return agentView(row, { isFollowing: false, yourShare: row.your_share })
    },
    updateBio: async ({ agent, input, db }) => viewedOne(await updateBio({ ...deps, db }, agent, input), agent),
    regenerateKey: async ({ agent, db }) => ({ apiKey: await regenerateKey({ ...deps, db }, agent) }),

    async listAgents({ input, viewer }) {
      const { rows, meta } = await listFound(input)
      return { data: await viewed(rows, viewer), meta }
    },
    listAgentSummaries: async ({ input }) => marketPage(await listLaunches(db, input)),
    listTrendingAgents: async ({ input }) => marketPage(await listTrending(db, input)),

    async getAgent({ input, viewer }) {
      const row = await getAgent(db, input.identifier, viewer)
      return viewer ? viewedOne(row, viewer) : agentView(row)
    },
  } satisfies Partial<Handlers>
}
