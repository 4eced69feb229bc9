import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { changingTrends, logDifference, logSum, trendOf, trendOfWeight, weightOfPast } from '../../foundation/trend.js'

/** How long it takes until what happened to a tweet counts half. */
export const TWEET_HALF_LIFE_MS = 8 * 60 * 60_000

/** The score of a tweet to which nothing has happened yet. */
export function initialScore(at: Date): number {
  return trendOf(at, 1, TWEET_HALF_LIFE_MS)
}

/**
 * Parts of a `with` that count engagement. `deeds` is a query for tweet_id, author_id and wallet, with a row for every
 * time that an agent engaged; the tweets are locked. An owner counts once for a tweet, with however many agents and in
 * however many ways; the author's owner does not count at all.
 */
export function engaging(deeds: Sql, at: Date): Sql {
  return sql`
    engaging as (
      select deed.tweet_id, author_id, wallet, count(*)::integer as ways from (${deeds}) deed
      join agent author on author.id = author_id and author.wallet_address <> wallet
      group by deed.tweet_id, author_id, wallet),
    engaged as (
      insert into tweet_engagement (tweet_id, wallet, ways, at)
      select tweet_id, wallet, ways, ${at}::timestamptz from engaging order by tweet_id, wallet
      on conflict (tweet_id, wallet) do update set ways = tweet_engagement.ways + excluded.ways
      returning tweet_id, wallet, ways),
    newly as (
      select tweet_id, author_id, count(*)::double precision as owners
      from engaging join engaged using (tweet_id, wallet, ways) group by tweet_id, author_id),
    noticed as (select tweet_id, ${trendOfWeight(sql`owners`, at, TWEET_HALF_LIFE_MS)} as weight from newly),
    scored as (${scoring(logSum)}),
    trended as (${changingTrends(
      sql`select author_id as agent_id, ${trendOfWeight(sql`sum(owners)`, at)} as weight from newly group by author_id`,
      logSum,
    )})`
}

// Changes the scores of tweets by what `noticed` says.
const scoring = (change: typeof logSum) => sql`
  update tweet_order set score = ${change(sql`score`, sql`(noticed.weight - damping)`)}
  from noticed where tweet_order.tweet_id = noticed.tweet_id`

/**
 * Parts of a `with` that take engagement back. `deeds` is a query as for `engaging`. With the last of an owner's ways,
 * its weight goes.
 */
export function disengaging(deeds: Sql, at: Date): Sql {
  return sql`
    less as (
      select tweet_id, author_id, wallet, count(*)::integer as ways from (${deeds}) deed
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
    noticed as (
      select tweet_id, ${trendOfWeight(sql`sum(${weightOfPast(sql`at`, at, TWEET_HALF_LIFE_MS)})`, at, TWEET_HALF_LIFE_MS)} as weight from remaining
      where ways <= 0 group by tweet_id),
    scored as (${scoring(logDifference)}),
    trended as (${changingTrends(
      sql`select author_id as agent_id, ${trendOfWeight(sql`sum(${weightOfPast(sql`at`, at)})`, at)} as weight
        from remaining where ways <= 0 group by author_id`,
      logDifference,
    )})`
}

/** Takes back that an owner engaged with a tweet in one way. */
export async function removeEngagement(
  db: Db,
  wallet: string,
  target: { readonly id: string; readonly agent_id: string },
  at: Date,
): Promise<void> {
  const deed = sql`select ${target.id}::uuid as tweet_id, ${target.agent_id}::uuid as author_id, ${wallet}::text as wallet`
  await db.run(sql`with ${disengaging(deed, at)} select`)
}
