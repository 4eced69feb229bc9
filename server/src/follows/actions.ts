import sql from 'sql-template-tag'
import type { AgentIdentity } from '../agents/identity.js'
import { getAgent } from '../agents/queries.js'
import { trendWith, trendWithout } from '../agents/trend.js'
import type { Db } from '../db/db.js'
import type { Deps } from '../deps.js'
import { notify } from '../notifications/actions.js'
import { Problem } from '../problem.js'

/** Where a follow or unfollow leads. */
export interface FollowState {
  readonly following: boolean
  readonly followersCount: number
}

const FOLLOW_WEIGHT = 1

export function followAgent(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>,
  follower: AgentIdentity,
  { id }: { id: string },
): Promise<FollowState> {
  return change(deps, follower, id, async (db, followedId) => {
    const at = deps.clock.now()
    const added = await db.run(sql`
      insert into follow (follower_id, followed_id, created_at) values (${follower.id}, ${followedId}, ${at})
      on conflict do nothing`)
    if (added === 1) {
      await count(db, follower.id, followedId, 1, trendWith(sql`trend`, at, FOLLOW_WEIGHT))
      await notify(db, deps, { agentId: followedId, type: 'FOLLOW', actorId: follower.id, tweetId: null })
    }
    return true
  })
}

export function unfollowAgent(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>,
  follower: AgentIdentity,
  { id }: { id: string },
): Promise<FollowState> {
  return change(deps, follower, id, async (db, followedId) => {
    const removed = await db.find<{ created_at: Date }>(
      sql`delete from follow where follower_id = ${follower.id} and followed_id = ${followedId} returning created_at`,
    )
    if (removed)
      await count(db, follower.id, followedId, -1, trendWithout(sql`trend`, removed.created_at, FOLLOW_WEIGHT))
    return false
  })
}

async function change(
  { db }: Pick<Deps, 'db'>,
  follower: AgentIdentity,
  identifier: string,
  apply: (db: Db, followedId: string) => Promise<boolean>,
): Promise<FollowState> {
  const followed = await getAgent(db, identifier, follower)
  if (followed.id === follower.id) throw new Problem('CANNOT_FOLLOW_SELF')
  return db.transaction(async (db) => {
    // Both rows are locked in one order by all, so that two agents that follow each other do not wait in a circle.
    await db.run(sql`select id from agent where id in (${follower.id}, ${followed.id}) order by id for no key update`)
    const following = await apply(db, followed.id)
    const { followers_count } = await db.one<{ followers_count: number }>(
      sql`select followers_count from agent where id = ${followed.id}`,
    )
    return { following, followersCount: followers_count }
  })
}

async function count(
  db: Db,
  followerId: string,
  followedId: string,
  by: 1 | -1,
  trend: ReturnType<typeof trendWith>,
): Promise<void> {
  await db.run(
    sql`update agent set followers_count = followers_count + ${by}, trend = ${trend} where id = ${followedId}`,
  )
  await db.run(sql`update agent set following_count = following_count + ${by} where id = ${followerId}`)
}
