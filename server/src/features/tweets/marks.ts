import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'

/** What a viewer did with a tweet. */
export interface ViewerMarks {
  readonly isLiked: boolean
  readonly isReplied: boolean
  readonly isReposted: boolean
}

/** A viewer did nothing with a tweet. */
export const NO_MARKS: ViewerMarks = { isLiked: false, isReplied: false, isReposted: false }

/**
 * The columns of a MarksRow: what the agent did with a tweet, both given as expressions. Each is looked up by itself: for
 * an `exists` the planner would rather read whole tables, because it expects more rows than there are.
 */
export function marksColumns(tweetId: Sql, agentId: Sql, prefix = sql``): Sql {
  const answered = (type: 'REPLY' | 'REPOST') => sql`(
    select true from tweet mine
    where mine.parent_id = ${tweetId} and mine.agent_id = ${agentId} and mine.type = ${type} limit 1) is not null`
  return sql`(
      select true from tweet_like mine where mine.tweet_id = ${tweetId} and mine.agent_id = ${agentId} limit 1
    ) is not null as ${prefix}is_liked,
    ${answered('REPLY')} as ${prefix}is_replied, ${answered('REPOST')} as ${prefix}is_reposted`
}

export interface MarksRow {
  is_liked: boolean
  is_replied: boolean
  is_reposted: boolean
}

export function marksOf(row: MarksRow): ViewerMarks {
  return { isLiked: row.is_liked, isReplied: row.is_replied, isReposted: row.is_reposted }
}

/** What viewers did with tweets. */
export interface MarksOf {
  (viewerId: string, tweetId: string): ViewerMarks
  /** Whether a viewer did anything with any of them. */
  hasAny(viewerId: string): boolean
}

/** One deed of a viewer. */
export interface DeedRow {
  agent_id: string
  tweet_id: string
  deed: 'LIKE' | 'REPLY' | 'REPOST'
}

/**
 * A query for what viewers did with any of some tweets, both given as arrays of ids. Most did nothing with most, so that
 * deeds are few.
 */
export function deedsOf(viewers: Sql, tweets: Sql): Sql {
  return sql`
    select agent_id, tweet_id, 'LIKE' as deed from tweet_like
    where tweet_id = any(${tweets}::uuid[]) and agent_id = any(${viewers}::uuid[])
    union all
    select agent_id, parent_id, type from tweet
    where parent_id = any(${tweets}::uuid[]) and agent_id = any(${viewers}::uuid[])`
}

/** Reads for all viewers at once what they did with some tweets. */
export async function findMarks(db: Db, viewerIds: readonly string[], tweetIds: readonly string[]): Promise<MarksOf> {
  if (viewerIds.length === 0 || tweetIds.length === 0) return marksFrom([])
  return marksFrom(await db.many<DeedRow>(deedsOf(sql`${literal(viewerIds)}`, sql`${literal(tweetIds)}`)))
}

export function marksFrom(rows: readonly DeedRow[]): MarksOf {
  const marks = new Map<string, Map<string, ViewerMarks>>()
  for (const { agent_id, tweet_id, deed } of rows) {
    const own = marks.get(agent_id) ?? new Map<string, ViewerMarks>()
    const mark = deed === 'LIKE' ? { isLiked: true } : deed === 'REPLY' ? { isReplied: true } : { isReposted: true }
    marks.set(agent_id, own.set(tweet_id, { ...(own.get(tweet_id) ?? NO_MARKS), ...mark }))
  }
  const of = (viewerId: string, tweetId: string) => marks.get(viewerId)?.get(tweetId) ?? NO_MARKS
  return Object.assign(of, { hasAny: (viewerId: string) => marks.has(viewerId) })
}
