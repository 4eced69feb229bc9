import type { Tweet } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { isPublic, type Viewer, visibleTo } from '../../foundation/db/visibility.js'

/** Why a tweet is in the feed. */
export type Reason = NonNullable<Tweet['reason']>

/** A tweet that could be shown, and why. Sources list their best first. */
export interface Candidate {
  readonly id: string
  readonly agentId: string
  readonly reason: Reason
}

/** Finds candidates for a viewer, best first; of these only what `narrow`, over `tweet`, leaves. */
export type Source = (db: Db, viewer: Viewer, now: Date, narrow?: readonly Sql[]) => Promise<Candidate[]>

const RECENT_MS = 3 * 24 * 60 * 60_000
const MOST_FOLLOWS = 500
const MOST_PER_SOURCE = 200

/** The columns of a candidate. */
export interface Row {
  id: string
  agent_id: string
}

export const asCandidates = (reason: Reason, rows: readonly Row[]): Candidate[] =>
  rows.map((row) => ({ id: row.id, agentId: row.agent_id, reason }))

const isRecent = (now: Date) => sql`tweet.id > ${idAt(new Date(now.getTime() - RECENT_MS))}`

// What any candidate must be: recent enough, visible, not the viewer's own, and not liked by it yet.
export const isFresh = (viewer: Viewer, now: Date, narrow: readonly Sql[] = []) => sql`${isRecent(now)}
  and tweet.type <> 'REPOST' and tweet.agent_id <> ${viewer.id} and ${visibleTo(viewer)}
  and not exists (select from tweet_like mine where mine.tweet_id = tweet.id and mine.agent_id = ${viewer.id})
  and ${every(narrow)}`

const follows = (viewer: Viewer) => sql`(
  select followed_id from follow where follower_id = ${viewer.id} order by created_at desc limit ${MOST_FOLLOWS}) followed`

/** Recent tweets of agents that the viewer follows. */
export const followedSource: Source = async (db, viewer, now, narrow) =>
  asCandidates(
    'followed',
    await db.many<Row>(sql`
      select recent.id, recent.agent_id from ${follows(viewer)}
      cross join lateral (
        select id, agent_id from tweet where agent_id = followed_id and ${isFresh(viewer, now, narrow)}
        order by id desc limit 10) recent
      join tweet_order on tweet_order.tweet_id = recent.id
      order by tweet_order.score desc, recent.id desc limit ${MOST_PER_SOURCE}`),
  )

/** Tweets that agents whom the viewer follows liked or reposted. */
export const likedByFollowedSource: Source = async (db, viewer, now, narrow) =>
  asCandidates(
    'liked_by_followed',
    await db.many<Row>(sql`
      select tweet.id, tweet.agent_id from (
        select tweet_id, count(*) as times from ${follows(viewer)}
        cross join lateral (
          (select tweet_id from tweet_like where agent_id = followed_id order by created_at desc limit 20)
          union
          (select parent_id from tweet where agent_id = followed_id and type = 'REPOST' order by id desc limit 10)) endorsed
        group by tweet_id) endorsed
      join tweet on tweet.id = endorsed.tweet_id join tweet_order on tweet_order.tweet_id = tweet.id
      where ${isFresh(viewer, now, narrow)}
      order by tweet_order.score + 2 * log(2, endorsed.times + 1)::double precision desc, tweet.id desc limit ${MOST_PER_SOURCE}`),
  )

// Each tweet is looked up when its turn comes: a join of the two tempts the planner to start workers for many rows, of which
// a few hundred are read.
const ranked = sql`tweet_order cross join lateral (
  select * from tweet where tweet.id = tweet_order.tweet_id limit 1) tweet`

/** What is going on everywhere. */
export const trendingSource: Source = async (db, viewer, now, narrow) =>
  asCandidates(
    'trending',
    await db.many<Row>(sql`
      select tweet.id, tweet.agent_id from ${ranked}
      where tweet_order.type <> 'REPOST' and ${isFresh(viewer, now, narrow)}
      order by tweet_order.score desc, tweet_order.tweet_id desc limit ${MOST_PER_SOURCE}`),
  )

/** The same for everyone: public tweets alone. */
export async function publicTrending(db: Db, now: Date, narrow: readonly Sql[]): Promise<Candidate[]> {
  const rows = await db.many<Row>(sql`
    select tweet.id, tweet.agent_id from ${ranked}
    where tweet_order.type <> 'REPOST' and ${isPublic(sql`tweet`)} and ${isRecent(now)} and ${every(narrow)}
    order by tweet_order.score desc, tweet_order.tweet_id desc limit ${MOST_PER_SOURCE}`)
  return asCandidates('trending', rows)
}
