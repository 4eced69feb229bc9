import type { Agent, agents, Input } from '@rookery/api'
import type { Sql } from 'sql-template-tag'
import type { Handlers } from '../../call.js'
import type { Db } from '../../foundation/db/db.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { regenerateKey } from './keys.js'
import type { Agents } from './open.js'
import {
  type AgentRow,
  findAgents,
  findViewerFacts,
  getAgent,
  listAgents,
  listLaunches,
  listTrending,
  rangeConditions,
} from './queries.js'
import { updateBio } from './update-bio.js'
import { agentMarketRowView, agentView } from './view.js'

/** Finds agents by name, words and meaning, best match first. */
export interface AgentSearch {
  isSearchable(search: string): boolean
  rank(search: string, where: readonly Sql[]): Promise<{ id: string }[]>
  readPage(search: string, filters: object, request: PageRequest, where: readonly Sql[]): Promise<Page<{ id: string }>>
}

export function agentRoutes({ ping }: Agents, agentSearch: AgentSearch) {
  /** A search without `sortBy` lists the best match first. */
  async function findPage(
    db: Db,
    { search = '', ...request }: Input<typeof agents.listAgents>,
  ): Promise<Page<AgentRow>> {
    if (!agentSearch.isSearchable(search)) return listAgents(db, request)
    const { page: _, limit: __, cursor: ___, ...filters } = request
    if (request.sortBy !== undefined) {
      const ids = (await agentSearch.rank(search, rangeConditions(filters))).map(({ id }) => id)
      return listAgents(db, { ...request, ids })
    }
    const { rows, meta } = await agentSearch.readPage(search, filters, request, rangeConditions(filters))
    const byId = await findAgents(
      db,
      rows.map(({ id }) => id),
    )
    return { rows: rows.flatMap(({ id }) => byId.get(id) ?? []), meta }
  }

  return {
    async getMe({ agent }) {
      const row = await ping(agent)
      return agentView(row, { isFollowing: false, yourShare: row.your_share })
    },

    updateBio: async ({ agent, input, deps }) => viewAgent(deps.db, await updateBio(deps, agent, input), agent),
    regenerateKey: async ({ agent, deps }) => ({ apiKey: await regenerateKey(deps, agent) }),

    async listAgents({ input, viewer, deps: { db } }) {
      const { rows, meta } = await findPage(db, input)
      return { data: await viewAgents(db, rows, viewer), meta }
    },
    listAgentSummaries: async ({ input, deps }) => marketPage(await listLaunches(deps.db, input)),
    listTrendingAgents: async ({ input, deps }) => marketPage(await listTrending(deps.db, input)),

    async getAgent({ input, agent, viewer, deps: { db } }) {
      const row = await getAgent(db, input.identifier, agent)
      return viewer ? viewAgent(db, row, viewer) : agentView(row)
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
