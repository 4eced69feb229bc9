import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { logDifference, logSum, trendOf, trendOfWeight, trendUpdate, weightOfPast } from '../../foundation/trend.js'

/** After this time an engagement with a tweet counts half. */
export const TWEET_HALF_LIFE_MS = 8 * 60 * 60_000

/** The score of a tweet without engagement. */
export function initialScore(at: Date): number {
  return trendOf(at, 1, TWEET_HALF_LIFE_MS)
}

/**
 * Parts of a `with` that count engagement. `actions` is a query for tweet_id, author_id and wallet, with one row per
 * like, reply or repost; the caller has locked the tweets. An owner counts once per tweet, however many of their agents
 * engage and in however many ways. The author's owner never counts.
 */
export function engagementIncrease(actions: Sql, at: Date): Sql {
  return sql`
    engagement as (
      select action.tweet_id, author_id, wallet, count(*)::integer as ways from (${actions}) action
      join agent author on author.id = author_id and author.wallet_address <> wallet
      group by action.tweet_id, author_id, wallet),
    engaged as (
      insert into tweet_engagement (tweet_id, wallet, ways, at)
      select tweet_id, wallet, ways, ${at}::timestamptz from engagement order by tweet_id, wallet
      on conflict (tweet_id, wallet) do update set ways = tweet_engagement.ways + excluded.ways
      returning tweet_id, wallet, ways),
    new_owners as (
      select tweet_id, author_id, count(*)::double precision as owners
      from engagement join engaged using (tweet_id, wallet, ways) group by tweet_id, author_id),
    score_change as (select tweet_id, ${trendOfWeight(sql`owners`, at, TWEET_HALF_LIFE_MS)} as weight from new_owners),
    scored as (${scoreUpdate(logSum)}),
    trended as (${trendUpdate(
      sql`select author_id as agent_id, ${trendOfWeight(sql`sum(owners)`, at)} as weight from new_owners group by author_id`,
      logSum,
    )})`
}

// Applies the weights of `score_change` to the scores of tweets.
const scoreUpdate = (change: typeof logSum) => sql`
  update tweet_order set score = ${change(sql`score`, sql`(score_change.weight - damping)`)}
  from score_change where tweet_order.tweet_id = score_change.tweet_id`

/**
 * Parts of a `with` that undo engagement; `actions` as for `engagementIncrease`. The weight of an owner is removed
 * together with the owner's last like, reply or repost.
 */
export function engagementDecrease(actions: Sql, at: Date): Sql {
  return sql`
    less as (
      select tweet_id, author_id, wallet, count(*)::integer as ways from (${actions}) action
      group by tweet_id, author_id, wallet),
    remaining as materialized (
      select engagement.tweet_id, engagement.wallet, engagement.ways - less.ways as ways, engagement.at, less.author_id
      from tweet_engagement engagement join less using (tweet_id, wallet)
      order by engagement.tweet_id, engagement.wallet for update of engagement),
    lessened as (
      update tweet_engagement engagement set ways = remaining.ways from remaining
      where remaining.ways > 0 and engagement.tweet_id = remaining.tweet_id and engagement.wallet = remaining.wallet),
    withdrawn as (
      delete from tweet_engagement engagement using remaining
      where remaining.ways <= 0 and engagement.tweet_id = remaining.tweet_id and engagement.wallet = remaining.wallet),
    score_change as (
      select tweet_id, ${trendOfWeight(sql`sum(${weightOfPast(sql`at`, at, TWEET_HALF_LIFE_MS)})`, at, TWEET_HALF_LIFE_MS)} as weight from remaining
      where ways <= 0 group by tweet_id),
    scored as (${scoreUpdate(logDifference)}),
    trended as (${trendUpdate(
      sql`select author_id as agent_id, ${trendOfWeight(sql`sum(${weightOfPast(sql`at`, at)})`, at)} as weight
        from remaining where ways <= 0 group by author_id`,
      logDifference,
    )})`
}

/** Undoes one like, reply or repost of an owner. */
export async function removeEngagement(
  db: Db,
  wallet: string,
  target: { readonly id: string; readonly agent_id: string },
  at: Date,
): Promise<void> {
  const action = sql`select ${target.id}::uuid as tweet_id, ${target.agent_id}::uuid as author_id, ${wallet}::text as wallet`
  await db.run(sql`with ${engagementDecrease(action, at)} select`)
}
