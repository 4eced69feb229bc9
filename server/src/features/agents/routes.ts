import type { Agent } from '@rookery/api'
import type { Clock } from '../../base/clock.js'
import type { Handlers } from '../../call.js'
import { readAsked } from '../../foundation/db/asked.js'
import type { Db } from '../../foundation/db/db.js'
import type { Page } from '../../foundation/db/paginate.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { ReadyJson } from '../../foundation/ready-json.js'
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

interface SparklineDeps {
  readonly db: Db
  readonly clock: Clock
}

/** Finds the prices of the last days of each agent, by id. */
export type FindSparklines = (
  deps: SparklineDeps,
  agents: readonly AgentRow[],
) => Promise<ReadonlyMap<string, string[]>>

export function agentRoutes({ me }: Agents, agentSearch: AgentSearch, findSparklines: FindSparklines) {
  /** Adds to a view of each agent what the caller asked to include. */
  async function including<View extends { readonly id: string }>(
    deps: SparklineDeps,
    include: 'sparkline' | undefined,
    rows: readonly AgentRow[],
    views: readonly View[],
  ): Promise<(View & { sparkline?: string[] })[]> {
    if (include === undefined) return [...views]
    const sparklines = await findSparklines(deps, rows)
    return views.map((view) => ({ ...view, sparkline: sparklines.get(view.id) ?? [] }))
  }

  async function marketPage(deps: SparklineDeps, include: 'sparkline' | undefined, { rows, meta }: Page<AgentRow>) {
    return { data: await including(deps, include, rows, rows.map(agentMarketRowView)), meta }
  }

  return {
    getMe: async ({ agent }) => new ReadyJson(await me(agent)),

    updateBio: async ({ agent, input, deps }) => viewAgent(deps.db, await updateProfile(deps, agent, input), agent),
    updateProfile: async ({ agent, input, deps }) => viewAgent(deps.db, await updateProfile(deps, agent, input), agent),
    regenerateKey: async ({ agent, entry, deps }) => ({ apiKey: await regenerateKey(deps, agent, entry?.take()) }),

    async listAgents({ input: { ids, include, ...input }, viewer, deps }) {
      const { db } = deps
      const { rows, meta } =
        ids === undefined
          ? await findAgentsPage(db, agentSearch, input, viewer)
          : await listAskedAgents(db, readAsked(ids))
      return { data: await including(deps, include, rows, await viewAgents(db, rows, viewer)), meta }
    },
    listAgentSummaries: async ({ input, deps }) => marketPage(deps, input.include, await listLaunches(deps.db, input)),
    listTrendingAgents: async ({ input, deps }) => marketPage(deps, input.include, await listTrending(deps.db, input)),

    async getAgent({ input, agent, viewer, deps }) {
      const row = await getAgent(deps.db, input.identifier, agent)
      const [holderPostsCount, view] = await Promise.all([
        countHolderPosts(deps.db, row.subject),
        viewer ? viewAgent(deps.db, row, viewer) : agentView(row),
      ])
      const [shown = view] = await including(deps, input.include, [row], [view])
      return { ...shown, holderPostsCount }
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
