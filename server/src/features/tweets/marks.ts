import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'

/** What a viewer did with a tweet. */
export interface ViewerMarks {
  readonly isLiked: boolean
  readonly isReplied: boolean
  readonly isReposted: boolean
}

export const NO_MARKS: ViewerMarks = { isLiked: false, isReplied: false, isReposted: false }

/**
 * The columns of a MarksRow, for expressions of a tweet's id and an agent's id. Each mark has its own subquery: for an
 * `exists` the planner would read whole tables, because it expects more rows than there are.
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

/** Looks up what viewers did with tweets. */
export interface MarksLookup {
  (viewerId: string, tweetId: string): ViewerMarks
  /** Whether a viewer has any mark on any of these tweets. */
  hasAny(viewerId: string): boolean
}

/** One mark of a viewer on a tweet. */
export type ViewerMarkRow = Row<'tweet_like', 'agent_id' | 'tweet_id'> & { readonly mark: 'LIKE' | 'REPLY' | 'REPOST' }

/** A query for the marks of viewers on tweets, both given as arrays of ids. Most viewers have none on most tweets. */
export function viewerMarksQuery(viewers: Sql, tweets: Sql): Sql {
  return sql`
    select agent_id, tweet_id, 'LIKE' as mark from tweet_like
    where tweet_id = any(${tweets}::uuid[]) and agent_id = any(${viewers}::uuid[])
    union all
    select agent_id, parent_id, type from tweet
    where parent_id = any(${tweets}::uuid[]) and agent_id = any(${viewers}::uuid[])`
}

/** The same for pairs of a viewer and a tweet, rows of `pairs` with agent_id and tweet_id: each is looked up by itself. */
export function pairMarksQuery(pairs: Sql): Sql {
  return sql`
    select pair.agent_id, pair.tweet_id, done.mark from ${pairs} pair cross join lateral (
      select 'LIKE' as mark from tweet_like mine where mine.tweet_id = pair.tweet_id and mine.agent_id = pair.agent_id
      union all
      select type from tweet mine where mine.parent_id = pair.tweet_id and mine.agent_id = pair.agent_id offset 0) done`
}

export async function findMarks(
  db: Db,
  viewerIds: readonly string[],
  tweetIds: readonly string[],
): Promise<MarksLookup> {
  if (viewerIds.length === 0 || tweetIds.length === 0) return createMarksLookup([])
  return createMarksLookup(
    await db.many<ViewerMarkRow>(viewerMarksQuery(sql`${literal(viewerIds)}`, sql`${literal(tweetIds)}`)),
  )
}

export function createMarksLookup(rows: readonly ViewerMarkRow[]): MarksLookup {
  const marks = new Map<string, Map<string, ViewerMarks>>()
  for (const { agent_id, tweet_id, mark } of rows) {
    const own = marks.get(agent_id) ?? new Map<string, ViewerMarks>()
    const flag = mark === 'LIKE' ? { isLiked: true } : mark === 'REPLY' ? { isReplied: true } : { isReposted: true }
    marks.set(agent_id, own.set(tweet_id, { ...(own.get(tweet_id) ?? NO_MARKS), ...flag }))
  }
  const find = (viewerId: string, tweetId: string) => marks.get(viewerId)?.get(tweetId) ?? NO_MARKS
  return Object.assign(find, { hasAny: (viewerId: string) => marks.has(viewerId) })
}
