import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { logChange, trendOf, weightOfPast } from '../../foundation/trend.js'

/** After this time an engagement with a tweet counts half. */
export const TWEET_HALF_LIFE_MS = 8 * 60 * 60_000

/** The score of a tweet without engagement. */
export function initialScore(at: Date): number {
  return trendOf(at, 1, TWEET_HALF_LIFE_MS)
}

/**
 * Parts of a `with` that count the engagement of `taken`, whose tweets stand. An owner counts once per tweet, however many of
 * their agents engage and in however many ways; that weight goes with the last like, reply or repost. The author's owner
 * never counts. `engagement_change` is what changes the trends of authors: "is true" has the planner,
 * which expects one row, look each row of a large set up by hash instead of comparing it with all others.
 */
export function engagementParts(now: Date): Sql {
  const weights = (at: Sql, sign = sql``) => sql`
    ${sign}${weightOfPast(at, now, TWEET_HALF_LIFE_MS)} as weight, ${sign}${weightOfPast(at, now)} as fame`
  return sql`
    engagement as materialized (
      select taken.engaged_id as tweet_id, taken.other_id as author_id, taken.wallet, sum(taken.ways)::integer as ways,
        max(taken.at) as at
      from taken join standing on standing.id = taken.engaged_id join other on other.id = taken.other_id
      where taken.ways <> 0 and other.wallet_address <> taken.wallet
      group by taken.engaged_id, taken.other_id, taken.wallet
      having sum(taken.ways) <> 0),
    engaged as (
      insert into tweet_engagement (tweet_id, wallet, ways, at)
      select tweet_id, wallet, ways, at from engagement where ways > 0 order by tweet_id, wallet
      on conflict (tweet_id, wallet) do update set ways = tweet_engagement.ways + excluded.ways
      returning tweet_id, wallet, ways),
    remaining as materialized (
      select before.tweet_id, before.wallet, before.ways + less.ways as ways, before.at, less.author_id
      from tweet_engagement before join engagement less using (tweet_id, wallet)
      where less.ways < 0
      order by before.tweet_id, before.wallet for update of before),
    lessened as (
      update tweet_engagement engagement set ways = remaining.ways from remaining
      where remaining.ways > 0 and engagement.tweet_id = remaining.tweet_id and engagement.wallet = remaining.wallet),
    withdrawn as (
      delete from tweet_engagement engagement using remaining
      where remaining.ways <= 0 and engagement.tweet_id = remaining.tweet_id and engagement.wallet = remaining.wallet),
    engagement_change as materialized (
      select tweet_id, author_id, ${weights(sql`at`)} from engagement
      where ((tweet_id, wallet, ways) in (select tweet_id, wallet, ways from engaged)) is true
      union all
      select tweet_id, author_id, ${weights(sql`at`, sql`-`)} from remaining where ways <= 0),
    scored as (
      update tweet_order set score = ${logChange(sql`score + damping`, sql`change.weight`, now, TWEET_HALF_LIFE_MS)} - damping
      from (select tweet_id, sum(weight) as weight from engagement_change group by tweet_id) change
      where tweet_order.tweet_id = change.tweet_id)`
}

/** A query for agent_id and weight: what engagement adds to the trends of authors. */
export const engagementTrends = sql`select author_id as agent_id, fame as weight from engagement_change`

/** Takes back one reply or repost of an owner. */
export async function withdrawEngagement(
  db: Db,
  {
    author,
    wallet,
    parent,
  }: { author: string; wallet: string; parent: { readonly id: string; readonly agent_id: string } },
  at: Date,
): Promise<void> {
  await db.run(sql`
    insert into deed (at, agent_id, engaged_id, wallet, ways, other_id)
    values (${at}, ${author}, ${parent.id}, ${wallet}, -1, ${parent.agent_id})`)
}
