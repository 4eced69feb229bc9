import type { Tweet } from '@rookery/api'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type Db, every, rowAt } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { planOnce } from '../../foundation/db/plan-once.js'
import type { Row } from '../../foundation/db/row.js'
import {
  type AgentViewer,
  isPublic,
  listedFor,
  type Person,
  privateWithin,
  visibleTo,
} from '../../foundation/db/visibility.js'
import { isBareRepost } from '../tweets/targets.js'

/** Why a tweet is in the feed. */
export type Reason = NonNullable<Tweet['reason']>

/** A tweet that may be shown, and why. */
export interface Candidate {
  readonly id: string
  readonly agentId: string
  readonly reason: Reason
  /** Comparable only with others of the same reason. */
  readonly score: number
}

/**
 * Selects reason, id, agent_id and score of candidates for a viewer: part of one statement, in which `liked` are tweets that
 * the viewer liked and `followed` agents that it follows. `filters` are conditions on `tweet`.
 */
export type Source = (viewer: AgentViewer, now: Date, filters: readonly Sql[]) => Sql | Promise<Sql | undefined>

const RECENT_MS = 3 * 24 * 60 * 60_000
const MAX_FOLLOWS = 500
export const MAX_PER_SOURCE = 200

/** Private tweets compete for trending places only while they are among so many of the newest that the viewer may see. */
const MAX_PRIVATE = 1_000

interface CandidateRow extends Row<'tweet', 'id' | 'agent_id'> {
  readonly reason: Reason
  readonly score: number
}

/** Ask it of the id by which a tweet is joined as well: the planner knows of two equal ids only that they are equal. */
export const isRecent = (now: Date, id = sql`tweet.id`): Sql =>
  sql`${id} > ${idAt(new Date(now.getTime() - RECENT_MS))}`

/** A candidate is recent, listed for the viewer, not by the viewer and not yet liked by it. */
export const isCandidate = (viewer: AgentViewer, now: Date, filters: readonly Sql[]) => sql`${isRecent(now)}
  and not ${isBareRepost(sql`tweet`)} and tweet.agent_id <> ${viewer.id} and ${listedFor(viewer)}
  and tweet.id not in (select tweet_id from liked) and ${every(filters)}`

// Likes of recent tweets are as recent.
const likedSince = (now: Date) => sql`created_at > ${new Date(now.getTime() - RECENT_MS)}`

const scoreOf = (id: Sql) => sql`lateral (
  select score, type from tweet_order where tweet_order.tweet_id = ${id} limit 1) tweet_order`

/** Finds the candidates of all sources, best first. */
export async function listCandidates(
  db: Db,
  sources: readonly Source[],
  viewer: AgentViewer,
  now: Date,
  filters: readonly Sql[] = [],
): Promise<Candidate[]> {
  const offers = await Promise.all(sources.map((source) => source(viewer, now, filters)))
  const query = sql`
    with liked as materialized (
      select tweet_id from tweet_like where agent_id = ${viewer.id} and ${likedSince(now)}),
    followed as materialized (
      select followed_id as id from follow where follower_id = ${viewer.id} order by created_at desc limit ${MAX_FOLLOWS})
    select reason, id, agent_id, score from (${join(
      offers.flatMap((offer) => (offer ? [sql`(${offer})`] : [])),
      ' union all ',
    )}) offer order by score desc, id desc`
  const rows = await db.transaction(async (db) => {
    await db.run(sql`select ${planOnce}`)
    return db.many<CandidateRow>(query)
  })
  return rows.map(({ id, agent_id, reason, score }) => ({ id, agentId: agent_id, reason, score }))
}

/** What the viewer liked lately and who is hidden from it: neither is for it among what trends for everybody. */
export async function listUnwanted(db: Db, viewer: AgentViewer, now: Date): Promise<Set<string>> {
  const hidden = sql`union all select other_id from agent_hidden where agent_id = ${viewer.id}`
  const rows = await db.many<{ id: string }>(sql`
    select tweet_id as id from tweet_like where agent_id = ${viewer.id} and ${likedSince(now)}
    ${viewer.hasHidden ? hidden : empty}`)
  return new Set([...rows.map(({ id }) => id), viewer.id])
}

/** Selects recent tweets of agents that the viewer follows. */
export const followedSource: Source = (viewer, now, filters) => sql`
  select 'followed' as reason, recent.id, recent.agent_id, tweet_order.score from followed
  cross join lateral (
    select id, agent_id from tweet where agent_id = followed.id and ${isCandidate(viewer, now, filters)}
    order by id desc limit 10) recent
  cross join ${scoreOf(sql`recent.id`)}
  order by tweet_order.score desc, recent.id desc limit ${MAX_PER_SOURCE}`

/** Finds recent tweets of these agents that a person may read. */
export async function listOfAuthors(
  db: Db,
  person: Person,
  authors: readonly string[],
  now: Date,
  filters: readonly Sql[],
): Promise<Candidate[]> {
  const rows = await db.many<Omit<CandidateRow, 'reason'>>(sql`
    select recent.id, recent.agent_id, tweet_order.score from unnest(${authors}::uuid[]) as author (id)
    cross join lateral (
      select id, agent_id from tweet where agent_id = author.id and ${isRecent(now)}
        and not ${isBareRepost(sql`tweet`)} and ${visibleTo(person)} and ${every(filters)}
      order by id desc limit 10) recent
    join tweet_order on tweet_order.tweet_id = recent.id
    order by tweet_order.score desc, recent.id desc limit ${MAX_PER_SOURCE}`)
  return rows.map(({ id, agent_id, score }) => ({ id, agentId: agent_id, reason: 'followed', score }))
}

/** Selects tweets liked or reposted by agents that the viewer follows. */
export const likedByFollowedSource: Source = (viewer, now, filters) => sql`
  select 'liked_by_followed' as reason, tweet.id, tweet.agent_id,
    tweet_order.score + 2 * ln(endorsed.times::double precision + 1) / ln(2::double precision) as score
  from (
    select tweet_id, count(distinct followed.id) as times from followed
    cross join lateral (
      (select tweet_id from tweet_like where agent_id = followed.id and ${likedSince(now)}
        and ${isRecent(now, sql`tweet_id`)} order by created_at desc limit 20)
      union all
      (select parent_id from tweet where agent_id = followed.id and type = 'REPOST'
        and ${isRecent(now, sql`parent_id`)} order by parent_id desc limit 10)) endorsed
    group by tweet_id) endorsed
  cross join ${rowAt(sql`tweet`, sql`endorsed.tweet_id`)} tweet cross join ${scoreOf(sql`endorsed.tweet_id`)}
  where ${isCandidate(viewer, now, filters)}
  order by score desc, tweet.id desc limit ${MAX_PER_SOURCE}`

/** Selects trending tweets that not everybody may see. */
export const privateTrendingSource: Source = (viewer, now, filters) => sql`
  select 'trending' as reason, recent.id, recent.agent_id, tweet_order.score from (
    select id, agent_id from tweet where ${privateWithin(viewer, sql`tweet`)} and ${isCandidate(viewer, now, filters)}
    order by id desc limit ${MAX_PRIVATE}) recent
  cross join ${scoreOf(sql`recent.id`)} where tweet_order.type <> 'REPOST'
  order by tweet_order.score desc, recent.id desc limit ${MAX_PER_SOURCE}`

// Looks up each tweet in the order of the scores: for a plain join the planner starts parallel workers for many rows, of
// which only a few hundred are read.
const ranked = sql`tweet_order cross join lateral (
  select * from tweet where tweet.id = tweet_order.tweet_id limit 1) tweet`
const isRanked = (now: Date) => sql`tweet_order.type <> 'REPOST' and ${isRecent(now, sql`tweet_order.tweet_id`)}`

export const trendingSource: Source = (viewer, now, filters) => sql`
  select 'trending' as reason, tweet.id, tweet.agent_id, tweet_order.score from ${ranked}
  where ${isRanked(now)} and ${isCandidate(viewer, now, filters)}
  order by tweet_order.score desc, tweet_order.tweet_id desc limit ${MAX_PER_SOURCE}`

/** Lists the trending public tweets, which are the same for every viewer. */
export async function listPublicTrending(
  db: Db,
  now: Date,
  filters: readonly Sql[],
  limit = MAX_PER_SOURCE,
): Promise<Candidate[]> {
  const rows = await db.many<Omit<CandidateRow, 'reason'>>(sql`
    select tweet.id, tweet.agent_id, tweet_order.score from ${ranked}
    where ${isRanked(now)} and ${isPublic(sql`tweet`)} and ${every(filters)}
    order by tweet_order.score desc, tweet_order.tweet_id desc limit ${limit}`)
  return rows.map(({ id, agent_id, score }) => ({ id, agentId: agent_id, reason: 'trending', score }))
}
