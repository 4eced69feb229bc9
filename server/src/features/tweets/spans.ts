import type { TweetType } from '@rookery/api'
import sql, { raw, type Sql } from 'sql-template-tag'
import { every } from '../../foundation/db/db.js'

/** The first span to search holds about this many tweets. */
const RECENT_COUNT = raw('200')

const TYPE_KEYS: Readonly<Record<TweetType, number>> = { POST: 1, REPLY: 2, REPOST: 3 }

/** The keys of a tweet in the word index: its time spans, negative if it is private, and its type. */
const spans = sql`tweet_spans(tweet.id, tweet.type, tweet.audience)`

/** Conditions for the tweets of a `span`, by visibility. */
export const inSpan = {
  all: sql`${spans} && array[span, -span]`,
  public: sql`${spans} @> array[span]`,
  private: sql`${spans} @> array[-span]`,
}

/** Conditions that the word index answers together with the words: a tweet's type, and the ids of its author or parent. */
export function wordKeys(type: TweetType | undefined, ids: readonly (Sql | undefined)[]): Sql[] {
  const relatedIds = sql`array[tweet.agent_id, coalesce(tweet.parent_id, tweet.agent_id)]`
  return [
    ...(type === undefined ? [] : [sql`${spans} @> array[${TYPE_KEYS[type]}::integer]`]),
    ...ids.flatMap((id) => (id === undefined ? [] : [sql`${relatedIds} @> array[${id}]`])),
  ]
}

/**
 * A query for the ids of the newest tweets that meet the conditions, at most `limit`; `within` are the conditions on
 * `tweet.id`. Searches one time span after the other and stops as soon as it has enough.
 */
export function newestInSpans(conditions: readonly Sql[], within: readonly Sql[], limit: Sql | number): Sql {
  const one = (order: Sql) =>
    sql`(select tweet.id from tweet where ${every(within)} order by tweet.id ${order} limit 1)`
  return sql`
    select hit.id from (
      select ${one(sql`asc`)} as oldest, ${one(sql`desc offset ${RECENT_COUNT}`)} as recent, ${one(sql`desc`)} as newest) time
    cross join lateral spans_between(oldest, coalesce(recent, oldest), newest) as span cross join lateral (
      select tweet.id from tweet where ${every([...conditions, ...within])} order by tweet.id desc) hit
    limit ${limit}`
}
