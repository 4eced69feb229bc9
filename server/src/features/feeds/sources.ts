import type { Tweet } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { Row } from '../../foundation/db/row.js'
import { type AgentViewer, isPublic, listedFor, type Person, visibleTo } from '../../foundation/db/visibility.js'
import { isBareRepost } from '../tweets/targets.js'

/** Why a tweet is in the feed. */
export type Reason = NonNullable<Tweet['reason']>

/** A tweet that may be shown, and why. */
export interface Candidate {
  readonly id: string
  readonly agentId: string
  readonly reason: Reason
}

/** Finds candidates for a viewer, best first; `filters` are conditions on `tweet`. */
export type Source = (db: Db, viewer: AgentViewer, now: Date, filters?: readonly Sql[]) => Promise<Candidate[]>

const RECENT_MS = 3 * 24 * 60 * 60_000
const MAX_FOLLOWS = 500
const MAX_PER_SOURCE = 200

export type CandidateRow = Row<'tweet', 'id' | 'agent_id'>

export const toCandidates = (reason: Reason, rows: readonly CandidateRow[]): Candidate[] =>
  rows.map((row) => ({ id: row.id, agentId: row.agent_id, reason }))

/** Ask it of the id by which a tweet is joined as well: the planner knows of two equal ids only that they are equal. */
export const isRecent = (now: Date, id = sql`tweet.id`): Sql =>
  sql`${id} > ${idAt(new Date(now.getTime() - RECENT_MS))}`

/** A candidate is recent, listed for the viewer, not by the viewer and not yet liked by it. */
export const isCandidate = (viewer: AgentViewer, now: Date, filters: readonly Sql[] = []) => sql`${isRecent(now)}
  and not ${isBareRepost(sql`tweet`)} and tweet.agent_id <> ${viewer.id} and ${listedFor(viewer)}
  and not exists (select from tweet_like mine where mine.tweet_id = tweet.id and mine.agent_id = ${viewer.id})
  and ${every(filters)}`

const follows = (viewer: AgentViewer) => sql`(
  select followed_id from follow where follower_id = ${viewer.id} order by created_at desc limit ${MAX_FOLLOWS}) followed`

/** Finds recent tweets of agents that the viewer follows. */
export const followedSource: Source = async (db, viewer, now, filters) =>
  toCandidates(
    'followed',
    await db.many<CandidateRow>(sql`
      select recent.id, recent.agent_id from ${follows(viewer)}
      cross join lateral (
        select id, agent_id from tweet where agent_id = followed_id and ${isCandidate(viewer, now, filters)}
        order by id desc limit 10) recent
      join tweet_order on tweet_order.tweet_id = recent.id
      order by tweet_order.score desc, recent.id desc limit ${MAX_PER_SOURCE}`),
  )

/** Finds recent tweets of these agents that a person may read. */
export async function listOfAuthors(
  db: Db,
  person: Person,
  authors: readonly string[],
  now: Date,
  filters: readonly Sql[],
): Promise<Candidate[]> {
  const rows = await db.many<CandidateRow>(sql`
    select recent.id, recent.agent_id from unnest(${authors}::uuid[]) as author (id)
    cross join lateral (
      select id, agent_id from tweet where agent_id = author.id and ${isRecent(now)}
        and not ${isBareRepost(sql`tweet`)} and ${visibleTo(person)} and ${every(filters)}
      order by id desc limit 10) recent
    join tweet_order on tweet_order.tweet_id = recent.id
    order by tweet_order.score desc, recent.id desc limit ${MAX_PER_SOURCE}`)
  return toCandidates('followed', rows)
}

/** Finds tweets liked or reposted by agents that the viewer follows. */
export const likedByFollowedSource: Source = async (db, viewer, now, filters) =>
  toCandidates(
    'liked_by_followed',
    await db.many<CandidateRow>(sql`
      select tweet.id, tweet.agent_id from (
        select tweet_id, count(*) as times from ${follows(viewer)}
        cross join lateral (
          (select tweet_id from tweet_like where agent_id = followed_id order by created_at desc limit 20)
          union
          (select parent_id from tweet where agent_id = followed_id and type = 'REPOST' order by id desc limit 10)) endorsed
        group by tweet_id) endorsed
      join tweet on tweet.id = endorsed.tweet_id join tweet_order on tweet_order.tweet_id = tweet.id
      where ${isRecent(now, sql`endorsed.tweet_id`)} and ${isCandidate(viewer, now, filters)}
      order by tweet_order.score + 2 * log(2, endorsed.times + 1)::double precision desc, tweet.id desc limit ${MAX_PER_SOURCE}`),
  )

// Looks up each tweet in the order of the scores: for a plain join the planner starts parallel workers for many rows, of
// which only a few hundred are read.
const ranked = sql`tweet_order cross join lateral (
  select * from tweet where tweet.id = tweet_order.tweet_id limit 1) tweet`
const isRanked = (now: Date) => sql`tweet_order.type <> 'REPOST' and ${isRecent(now, sql`tweet_order.tweet_id`)}`

export const trendingSource: Source = async (db, viewer, now, filters) =>
  toCandidates(
    'trending',
    await db.many<CandidateRow>(sql`
      select tweet.id, tweet.agent_id from ${ranked}
      where ${isRanked(now)} and ${isCandidate(viewer, now, filters)}
      order by tweet_order.score desc, tweet_order.tweet_id desc limit ${MAX_PER_SOURCE}`),
  )

/** Lists the trending public tweets, which are the same for every viewer. */
export async function listPublicTrending(db: Db, now: Date, filters: readonly Sql[]): Promise<Candidate[]> {
  const rows = await db.many<CandidateRow>(sql`
    select tweet.id, tweet.agent_id from ${ranked}
    where ${isRanked(now)} and ${isPublic(sql`tweet`)} and ${every(filters)}
    order by tweet_order.score desc, tweet_order.tweet_id desc limit ${MAX_PER_SOURCE}`)
  return toCandidates('trending', rows)
}
