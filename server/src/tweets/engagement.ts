import sql, { type Sql } from 'sql-template-tag'
import { logDifference, logSum, trendOf, trendOfWeight, weightOfPast } from '../agents/trend.js'
import type { Db } from '../db/db.js'

/** How long it takes until what happened to a tweet counts half. */
export const TWEET_HALF_LIFE_MS = 8 * 60 * 60_000

/** The score of a tweet to which nothing has happened yet. */
export function initialScore(at: Date): number {
  return trendOf(at, 1, TWEET_HALF_LIFE_MS)
}

/**
 * Parts of a `with` that count engagement. `deeds` is a query for tweet_id, author_id and wallet, with a row for every
 * time that an agent engaged. An owner counts once for a tweet, with however many agents and in however many ways; the
 * author's owner does not count at all. `noticed` says by how much the score of each tweet is to grow (`scoreWith`).
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
    ${trending(
      sql`select author_id as id, ${trendOfWeight(sql`sum(owners)`, at)} as weight from newly group by author_id`,
      logSum,
    )}`
}

/** The score of a tweet with what `noticed` says of it, which may be nothing. */
export const scoreWith = sql`case when noticed.weight is null then score
  else ${logSum(sql`score`, sql`(noticed.weight - damping)`)} end`

/**
 * Parts of a `with` that take engagement back. `deeds` is a query as for `engaging`. With the last of an owner's ways,
 * its weight goes: `noticed` says by how much the score of each tweet is to shrink (`scoreWithout`).
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
    ${trending(
      sql`select author_id as id, ${trendOfWeight(sql`sum(${weightOfPast(sql`at`, at)})`, at)} as weight from remaining
        where ways <= 0 group by author_id`,
      logDifference,
    )}`
}

/** The score of a tweet without what `noticed` says of it. */
export const scoreWithout = sql`case when noticed.weight is null then score
  else ${logDifference(sql`score`, sql`(noticed.weight - damping)`)} end`

// Rows are locked in the order of their ids by all, so that nobody waits in a circle.
function trending(weights: Sql, change: typeof logSum): Sql {
  return sql`
    gained as (${weights}),
    authors as (select id from agent where id in (select id from gained) order by id for no key update),
    trended as (
      update agent set trend = ${change(sql`trend`, sql`gained.weight`)}
      from gained join authors using (id) where agent.id = gained.id)`
}

/** Takes back that an owner engaged with a tweet in one way. */
export async function removeEngagement(
  db: Db,
  wallet: string,
  target: { readonly id: string; readonly agent_id: string },
  at: Date,
): Promise<void> {
  const deed = sql`select ${target.id}::uuid as tweet_id, ${target.agent_id}::uuid as author_id, ${wallet}::text as wallet`
  await db.run(sql`
    with ${disengaging(deed, at)}
    update tweet set score = ${scoreWithout} from noticed where tweet.id = noticed.tweet_id`)
}
