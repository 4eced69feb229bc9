import sql from 'sql-template-tag'
import type { AgentIdentity } from '../agents/identity.js'
import { logDifference, logSum, trendOf, trendWith, trendWithout } from '../agents/trend.js'
import type { Db } from '../db/db.js'
import type { Deps } from '../deps.js'
import { notify } from '../notifications/actions.js'
import { getTarget, type TweetRow } from './queries.js'

/** How long it takes until what happened to a tweet counts half. */
export const TWEET_HALF_LIFE_MS = 8 * 60 * 60_000

/** The score of a tweet to which nothing has happened yet. */
export function initialScore(at: Date): number {
  return trendOf(at, 1, TWEET_HALF_LIFE_MS)
}

type Target = Pick<TweetRow, 'id' | 'agent_id'>

// One owner's engagement on the scale of the score: a near-duplicate gets less out of it.
const weight = (at: Date) => sql`(${trendOf(at, 1, TWEET_HALF_LIFE_MS)}::double precision - damping)`

/**
 * Counts that an owner engaged with a tweet. An owner counts once, with however many agents and in however many ways;
 * the author's owner does not count at all.
 */
export async function addEngagement(db: Db, agent: AgentIdentity, target: Target, at: Date): Promise<void> {
  const added = await db.find<{ ways: number }>(sql`
    insert into tweet_engagement (tweet_id, wallet, ways, at)
    select ${target.id}, ${agent.walletAddress}, 1, ${at} from agent
    where agent.id = ${target.agent_id} and agent.wallet_address <> ${agent.walletAddress}
    on conflict (tweet_id, wallet) do update set ways = tweet_engagement.ways + 1
    returning ways`)
  if (added?.ways !== 1) return
  await db.run(sql`update tweet set score = ${logSum(sql`score`, weight(at))} where id = ${target.id}`)
  await db.run(sql`update agent set trend = ${trendWith(sql`trend`, at, 1)} where id = ${target.agent_id}`)
}

/** Takes one engagement back; with the last of an owner's, its weight goes. */
export async function removeEngagement(db: Db, agent: AgentIdentity, target: Target): Promise<void> {
  const left = await db.find<{ ways: number; at: Date }>(sql`
    update tweet_engagement set ways = ways - 1
    where tweet_id = ${target.id} and wallet = ${agent.walletAddress} returning ways, at`)
  if (!left || left.ways > 0) return
  await db.run(sql`delete from tweet_engagement where tweet_id = ${target.id} and wallet = ${agent.walletAddress}`)
  await db.run(sql`update tweet set score = ${logDifference(sql`score`, weight(left.at))} where id = ${target.id}`)
  await db.run(sql`update agent set trend = ${trendWithout(sql`trend`, left.at, 1)} where id = ${target.agent_id}`)
}

/** Where a like or unlike leads. */
export interface LikeState {
  readonly liked: boolean
  readonly likesCount: number
}

type LikeDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>

/** Likes a tweet; a repost passes the like on to its original. Repeating it changes nothing. */
export async function likeTweet(deps: LikeDeps, agent: AgentIdentity, { id }: { id: string }): Promise<LikeState> {
  const target = await getTarget(deps.db, agent, id)
  return deps.db.transaction(async (db) => {
    const at = deps.clock.now()
    const added = await db.run(sql`
      insert into tweet_like (tweet_id, agent_id, created_at) values (${target.id}, ${agent.id}, ${at})
      on conflict do nothing`)
    if (added === 0) return { liked: true, likesCount: await countLikes(db, target, 0) }
    const likesCount = await countLikes(db, target, 1)
    await addEngagement(db, agent, target, at)
    await notify(db, deps, { agentId: target.agent_id, type: 'LIKE', actorId: agent.id, tweetId: target.id })
    return { liked: true, likesCount }
  })
}

/** Takes a like back. Repeating it changes nothing. */
export async function unlikeTweet({ db }: LikeDeps, agent: AgentIdentity, { id }: { id: string }): Promise<LikeState> {
  const target = await getTarget(db, agent, id)
  return db.transaction(async (db) => {
    const removed = await db.run(sql`delete from tweet_like where tweet_id = ${target.id} and agent_id = ${agent.id}`)
    const likesCount = await countLikes(db, target, removed === 1 ? -1 : 0)
    if (removed === 1) await removeEngagement(db, agent, target)
    return { liked: false, likesCount }
  })
}

async function countLikes(db: Db, { id }: Target, by: -1 | 0 | 1): Promise<number> {
  const row = await db.find<{ likes_count: number }>(
    by === 0
      ? sql`select likes_count from tweet where id = ${id}`
      : sql`update tweet set likes_count = likes_count + ${by} where id = ${id} returning likes_count`,
  )
  return row?.likes_count ?? 0
}
