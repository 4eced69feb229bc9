import type { Withheld } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { literal, requestRows } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import { WITHHELD } from '../../foundation/db/visibility.js'
import { enqueueTwice } from '../../foundation/jobs/enqueue-twice.js'
import { invalidatePages } from '../notifications/actions.js'
import { followAudience } from '../notifications/follow-audience.js'
import { tallyChange } from './tally.js'
import { isBareRepost, isQuote } from './targets.js'

/** Why nobody but its author sees a tweet: a decision about it, about its author, or about what it reposts. */
export type Cause = 'decision' | 'suspension' | 'original'

export type WithholdDeps = Pick<Deps, 'clock' | 'events' | 'queue'>

/** The most bare reposts that a request withholds or restores itself. A background job takes the rest. */
const REPOSTS_AT_ONCE = 200
/** The same for notifications. */
const NOTIFICATIONS_AT_ONCE = 1_000

type WithheldTweet = Row<
  'tweet',
  'id' | 'agent_id' | 'type' | 'content' | 'parent_id' | 'audience' | 'medias' | 'withheld'
>

/** The audience of a tweet before it was taken down. Counts of a parent include what has the same. */
export function formerAudience(tweet: Sql): Sql {
  return sql`(case when ${tweet}.withheld is null then ${tweet}.audience else ${tweet}.withheld->>'audience' end)`
}

/**
 * Takes tweets down: moves each to the audience without members, with every copy of its audience, and leaves all counts.
 * Their bare reposts follow. One that is already down gets one more cause. `isLive` tells live readers to drop them.
 */
export async function withholdTweets(
  db: Db,
  deps: WithholdDeps,
  ids: readonly string[],
  cause: Cause,
  why: Withheld,
  isLive = true,
): Promise<void> {
  const tweets = await lockTweets(db, ids)
  await db.run(sql`
    update tweet set audience = ${WITHHELD}, version = version + 1,
      withheld = coalesce(withheld, jsonb_build_object('audience', audience)) || ${JSON.stringify({ [cause]: why })}::jsonb
    where id = any(${literal(ids)}::uuid[])`)
  const fresh = tweets.filter(({ withheld }) => withheld === null)
  const freshIds = fresh.map(({ id }) => id)
  if (fresh.length === 0) return
  await moveCopies(db, fresh)
  await changeCounts(db, fresh, -1)
  if (isLive)
    await deps.events.append(
      db,
      fresh.map(({ id, agent_id, audience }) => ({ type: 'tweet.deleted', agentId: agent_id, audience, tweetId: id })),
    )
  if (cause === 'original') return
  await withholdReposts(db, deps, freshIds)
  await settleLater(db, deps, freshIds)
}

/**
 * Removes a cause, and brings back the tweets that have no other: their counts, places and bare reposts too. `isLive` tells
 * live readers, who were told to drop them.
 */
export async function restoreTweets(
  db: Db,
  deps: WithholdDeps,
  ids: readonly string[],
  cause: Cause,
  isLive = true,
): Promise<void> {
  const tweets = await lockTweets(db, ids)
  const freed = tweets.flatMap(({ withheld, ...tweet }) =>
    withheld && Object.keys(withheld).every((key) => key === 'audience' || key === cause)
      ? [{ ...tweet, withheld, audience: withheld.audience }]
      : [],
  )
  await db.run(sql`
    update tweet set withheld = withheld - ${cause}::text, version = version + 1
    where id = any(${literal(ids)}::uuid[]) and withheld is not null`)
  if (freed.length === 0) return
  await db.run(sql`
    update tweet set audience = withheld->>'audience', withheld = null, version = version + 1
    where id = any(${idsOf(freed)}::uuid[])`)
  await moveCopies(db, freed)
  await changeCounts(db, freed, 1)
  if (isLive)
    await deps.events.append(
      db,
      freed.map(({ id, agent_id, audience }) => ({ type: 'tweet.created', agentId: agent_id, audience, tweetId: id })),
    )
  if (cause === 'original') return
  const freedIds = freed.map(({ id }) => id)
  await restoreReposts(db, deps, freedIds)
  await settleLater(db, deps, freedIds)
}

/**
 * Does a part of what depends on the tweets at once, and leaves the rest to the background. A fan-out that is under way
 * writes notifications for the audience that it has read.
 */
async function settleLater(db: Db, deps: WithholdDeps, ids: readonly string[]): Promise<void> {
  await followAudience(db, ids, NOTIFICATIONS_AT_ONCE)
  await enqueueTwice(db, deps, 'settle_withheld', { tweetIds: ids })
}

const idsOf = (tweets: readonly Pick<WithheldTweet, 'id'>[]) => literal(tweets.map(({ id }) => id))

/** Locks tweets and, since their counts change, parents: all that changes counts locks tweets in the order of their ids. */
export async function lockTweets(db: Db, ids: readonly string[]): Promise<WithheldTweet[]> {
  const wanted = literal(ids)
  const rows = await db.many<WithheldTweet>(sql`
    select id, agent_id, type, content, parent_id, audience, medias, withheld from tweet
    where id = any(${wanted}::uuid[]) or id in (select parent_id from tweet where id = any(${wanted}::uuid[]))
    order by id for no key update`)
  return rows.filter(({ id }) => ids.includes(id))
}

/** Gives the copies of a tweet's audience its present one. Notifications, which may be many, follow. */
async function moveCopies(db: Db, tweets: readonly WithheldTweet[]): Promise<void> {
  const ids = idsOf(tweets)
  await db.run(sql`
    update tweet_order set audience = tweet.audience from tweet
    where tweet.id = tweet_order.tweet_id and tweet.id = any(${ids}::uuid[])`)
  await db.run(sql`
    update tweet_embedding set audience = tweet.audience from tweet
    where tweet.id = tweet_embedding.tweet_id and tweet.id = any(${ids}::uuid[])`)
  await invalidatePages(db)
}

/** Counts tweets in totals and in the counts of their parents, or no longer does; `audience` is the one they count for. */
async function changeCounts(db: Db, tweets: readonly WithheldTweet[], by: 1 | -1): Promise<void> {
  const rows = tweets.map((tweet) => ({
    type: tweet.type,
    is_quote: isQuote(tweet),
    audience: tweet.audience,
    parent_id: tweet.parent_id,
  }))
  const counted = requestRows(rows, sql`type text, is_quote boolean, audience text, parent_id uuid`)
  await db.run(sql`with ${tallyChange(counted, by, false)} select`)
  await db.run(sql`
    update tweet parent set replies_count = replies_count + ${by} * changed.replies,
      reposts_count = reposts_count + ${by} * changed.reposts, version = parent.version + 1
    from (
      select parent_id, audience, count(*) filter (where type = 'REPLY')::integer as replies,
        count(*) filter (where type = 'REPOST')::integer as reposts
      from (${counted}) counted where parent_id is not null group by parent_id, audience) changed
    where parent.id = changed.parent_id and ${formerAudience(sql`parent`)} is not distinct from changed.audience`)
}

/** What those who reposted something read: the decision and its reason are for its author alone. */
const OF_ORIGINAL: Withheld = { reason: 'What it reposts was taken down.', decisionId: null }

/** Withholds the bare reposts of tweets that are taken down, which show nothing else. Returns whether there may be more. */
async function withholdReposts(db: Db, deps: WithholdDeps, ids: readonly string[]): Promise<boolean> {
  const reposts = await listReposts(db, ids, sql`(tweet.withheld is null or tweet.withheld->'original' is null)`)
  if (reposts.length > 0) await withholdTweets(db, deps, reposts, 'original', OF_ORIGINAL)
  return reposts.length === REPOSTS_AT_ONCE
}

/** Brings back the bare reposts of tweets that are no longer taken down. Returns whether there may be more. */
async function restoreReposts(db: Db, deps: WithholdDeps, ids: readonly string[]): Promise<boolean> {
  const reposts = await listReposts(db, ids, sql`tweet.withheld->'original' is not null`)
  if (reposts.length > 0) await restoreTweets(db, deps, reposts, 'original')
  return reposts.length === REPOSTS_AT_ONCE
}

async function listReposts(db: Db, ids: readonly string[], condition: Sql): Promise<string[]> {
  const rows = await db.many<Row<'tweet', 'id'>>(sql`
    select id from tweet where parent_id = any(${literal(ids)}::uuid[]) and ${isBareRepost(sql`tweet`)} and ${condition}
    order by id limit ${REPOSTS_AT_ONCE}`)
  return rows.map(({ id }) => id)
}

/**
 * Brings some of the bare reposts and notifications of tweets in line with them. Reads what each tweet is now, so it does
 * not matter how often, in which order or by how many workers it is called. Returns whether there may be more.
 */
export async function settleWithheld(db: Db, deps: WithholdDeps, ids: readonly string[]): Promise<boolean> {
  const tweets = await lockTweets(db, ids)
  let hasMore = false
  for (const { id, withheld } of tweets) {
    const isDown = withheld && (withheld.decision ?? withheld.suspension)
    hasMore = (await (isDown ? withholdReposts : restoreReposts)(db, deps, [id])) || hasMore
  }
  return (await followAudience(db, ids, NOTIFICATIONS_AT_ONCE)) === NOTIFICATIONS_AT_ONCE || hasMore
}
