import type { TweetType } from '@rookery/api'
import sql, { raw, type Sql } from 'sql-template-tag'
import { every } from '../../foundation/db/db.js'

/** About so many tweets are in the span that is looked at first. */
const RECENT = raw('200')

const NUMBERS: Readonly<Record<TweetType, number>> = { POST: 1, REPLY: 2, REPOST: 3 }

/** The keys of a tweet in the index of words: the spans of time that it is in, negative if it is private, and its type. */
const spans = sql`tweet_spans(tweet.id, tweet.type, tweet.audience)`

/** Which tweets of a `span` are looked at. */
export const inSpan = {
  all: sql`${spans} && array[span, -span]`,
  public: sql`${spans} @> array[span]`,
  private: sql`${spans} @> array[-span]`,
}

/** Looked up in the index of words with the words: the type of a tweet, and ids of its author or of what it answers. */
export function wordKeys(type: TweetType | undefined, ids: readonly (Sql | undefined)[]): Sql[] {
  const about = sql`array[tweet.agent_id, coalesce(tweet.parent_id, tweet.agent_id)]`
  return [
    ...(type === undefined ? [] : [sql`${spans} @> array[${NUMBERS[type]}::integer]`]),
    ...ids.flatMap((id) => (id === undefined ? [] : [sql`${about} @> array[${id}]`])),
  ]
}

/**
 * Ids of the newest tweets for which conditions hold, as many as `limit` says; `within` are those of them on `tweet.id`. It
 * goes through one span of time after the other and ends as soon as there are enough.
 */
export function newestInSpans(conditions: readonly Sql[], within: readonly Sql[], limit: Sql | number): Sql {
  const one = (order: Sql) =>
    sql`(select tweet.id from tweet where ${every(within)} order by tweet.id ${order} limit 1)`
  return sql`
    select hit.id from (
      select ${one(sql`asc`)} as oldest, ${one(sql`desc offset ${RECENT}`)} as recent, ${one(sql`desc`)} as newest) time
    cross join lateral spans_between(oldest, coalesce(recent, oldest), newest) as span cross join lateral (
      select tweet.id from tweet where ${every([...conditions, ...within])} order by tweet.id desc) hit
    limit ${limit}`
}
