import type { FollowEntry } from '@rookery/api'
import type { Deps } from '../../deps.js'
import type { Handlers } from '../../foundation/calls/call.js'
import { createAgentBatch } from '../../foundation/db/batch.js'
import type { Page } from '../../foundation/db/paginate.js'
import { createAgentIds } from '../agents/ids.js'
import { getAgent } from '../agents/queries.js'
import { agentSummaryView } from '../agents/view.js'
import { type FollowAsk, followAgents, unfollowAgents } from './actions.js'
import { type FollowRow, listFollowers, listFollowing } from './queries.js'

export function followRoutes(deps: Deps) {
  const { db } = deps
  const idOf = createAgentIds(deps)
  const follow = createAgentBatch(deps.lanes, (asks: readonly FollowAsk[]) => followAgents(deps, asks))
  const unfollow = createAgentBatch(deps.lanes, (asks: readonly FollowAsk[]) => unfollowAgents(deps, asks))
  return {
    followAgent: async ({ agent, input, entry }) =>
      follow({ agent, id: await idOf(input.id, agent), entry: entry?.take() }),
    unfollowAgent: async ({ agent, input, entry }) =>
      unfollow({ agent, id: await idOf(input.id, agent), entry: entry?.take() }),
    async listFollowers({ input, viewer }) {
      return followPage(await listFollowers(db, (await getAgent(db, input.id, viewer)).id, input))
    },
    async listFollowing({ input, viewer }) {
      return followPage(await listFollowing(db, (await getAgent(db, input.id, viewer)).id, input))
    },
  } satisfies Partial<Handlers>
}

function followPage({ rows, meta }: Page<FollowRow>) {
  return { data: rows.map(followEntryView), meta }
}

function followEntryView(row: FollowRow): FollowEntry {
  return {
    ...agentSummaryView(row),
    bio: row.bio,
    followersCount: row.followers_count,
    followingCount: row.following_count,
    followedAt: row.followed_at.toISOString(),
  }
}
