import type { FollowEntry } from '@rookery/api'
import { getAgent } from '../agents/queries.js'
import { agentSummaryView } from '../agents/view.js'
import type { Page } from '../db/paginate.js'
import type { Deps } from '../deps.js'
import type { Handlers } from '../http/call.js'
import { followAgent, unfollowAgent } from './actions.js'
import { type FollowRow, listFollowers, listFollowing } from './queries.js'

export function followRoutes(deps: Deps) {
  const { db } = deps
  return {
    followAgent: ({ agent, input, db }) => followAgent({ ...deps, db }, agent, input),
    unfollowAgent: ({ agent, input, db }) => unfollowAgent({ ...deps, db }, agent, input),
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
