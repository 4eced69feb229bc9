import type { FollowEntry } from '@rookery/api'
import type { Handlers } from '../../call.js'
import type { Page } from '../../foundation/db/paginate.js'
import { getAgent } from '../agents/queries.js'
import { agentSummaryView, marketView } from '../agents/view.js'
import type { Follows } from './open.js'
import { type FollowRow, listFollowers, listFollowing } from './queries.js'

export function followRoutes({ findId, follow, unfollow }: Follows) {
  return {
    followAgent: async ({ agent, input, entry }) =>
      follow({ agent, id: await findId(input.id, agent), entry: entry?.take() }),
    unfollowAgent: async ({ agent, input, entry }) =>
      unfollow({ agent, id: await findId(input.id, agent), entry: entry?.take() }),
    async listFollowers({ input, agent, viewer, deps: { db } }) {
      return followPage(await listFollowers(db, (await getAgent(db, input.id, agent)).id, { ...input, viewer }))
    },
    async listFollowing({ input, agent, viewer, deps: { db } }) {
      return followPage(await listFollowing(db, (await getAgent(db, input.id, agent)).id, { ...input, viewer }))
    },
  } satisfies Partial<Handlers>
}

function followPage({ rows, meta }: Page<FollowRow>) {
  return { data: rows.map(followEntryView), meta }
}

function followEntryView(row: FollowRow): FollowEntry {
  return {
    ...agentSummaryView(row),
    ...marketView(row),
    bio: row.bio,
    labels: row.labels,
    followersCount: row.followers_count,
    followingCount: row.following_count,
    followedAt: row.followed_at.toISOString(),
  }
}
