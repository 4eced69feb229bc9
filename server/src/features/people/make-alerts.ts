import sql, { type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { isMemberOf, isPrivate } from '../../foundation/db/visibility.js'
import { type EventRow, listEvents } from '../../foundation/events/rows.js'
import { jobInsert } from '../../foundation/jobs/queue.js'
import { supplyAt } from '../shares/past-supply.js'

/** How many events are read at once. */
export const MOST_AT_ONCE = 500
/** What comes back after longer, as when a decision of a moderator is undone, is no news. */
const NEWS_MS = 7 * 24 * 60 * 60_000
const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS
/** A watched price is told again after this, or when the move has doubled. */
const QUIET_MS = 6 * HOUR_MS

type AlertDeps = Pick<Deps, 'db' | 'clock' | 'queue'>

/** Whether somebody with this wallet is signed in somewhere; nobody else is told anything. */
const isSignedIn = (wallet: Sql) => sql`exists (
  select from owner_session where owner_session.wallet_address = ${wallet} and owner_session.ended_at is null)`

/** Moves the cursor to the end of the log while no wallet is signed in. Returns whether it did. */
export async function skipUnwanted(db: Db): Promise<boolean> {
  const skipped = await db.run(sql`
    update alert_cursor set event_id = greatest(event_id, last_id) from event_log
    where not exists (select from owner_session where wallet_address is not null and ended_at is null)`)
  return skipped > 0
}

/**
 * Reads the next events of the log and tells the wallets that want to know of them. The same transaction moves the cursor,
 * so each is told once, however many instances there are. Returns 0 at the end of the log.
 */
export function makeAlerts(deps: AlertDeps, atOnce: number): Promise<number> {
  return deps.db.transaction(async (db) => {
    const cursor = await db.find<Row<'alert_cursor', 'event_id'>>(
      sql`select event_id from alert_cursor for update skip locked`,
    )
    if (!cursor) return 0
    const rows = await listEvents(db, Number(cursor.event_id), atOnce)
    const last = rows.at(-1)
    if (!last) return 0
    await tellOfTweets(deps, db, idsOf(rows, 'tweet.created', 'tweetId'))
    await tellOfPrices(deps, db, idsOf(rows, 'trade.confirmed', 'agentId'))
    await db.run(sql`update alert_cursor set event_id = ${last.id}`)
    return rows.length === atOnce ? atOnce : 0
  })
}

function idsOf(rows: readonly EventRow[], type: EventRow['type'], member: 'tweetId' | 'agentId'): string[] {
  return [...new Set(rows.flatMap((row) => (row.type === type ? (row[member] ?? []) : [])))]
}

/** Tells of posts for holders, and of mentions; several are bundled in one alert until it is read. */
async function tellOfTweets({ clock, queue }: AlertDeps, db: Db, tweetIds: readonly string[]): Promise<void> {
  if (tweetIds.length === 0) return
  const now = clock.now()
  const isNews = sql`tweet.id = any(${tweetIds}::uuid[]) and tweet.created_at > ${new Date(now.getTime() - NEWS_MS)}`
  // A reader is in the shape that `isMemberOf` takes; people are members by their holdings alone.
  await db.run(sql`
    with told as (
      select reader.wallet_address as wallet, 'HOLDER_POST' as type, author.id as agent_id, tweet.id as tweet_id
      from tweet join agent author on author.id = tweet.agent_id
      cross join lateral (
        select holder as wallet_address, null::text as subject from share_holding
        where share_holding.subject = author.subject and holder <> author.wallet_address
          and ${isSignedIn(sql`holder`)}) reader
      where ${isNews} and tweet.type = 'POST' and ${isPrivate(sql`tweet`)}
        and ${isMemberOf(sql`tweet.audience`, sql`reader`)}
      union
      select reader.wallet_address, 'MENTION', mentioned.id, tweet.id
      from tweet cross join unnest(tweet.mentions) as mention (username)
      join agent mentioned on mentioned.username = mention.username and mentioned.id <> tweet.agent_id
      cross join lateral (
        select wallet as wallet_address, null::text as subject from wallet_follow
        where agent_id = mentioned.id and ${isSignedIn(sql`wallet`)}
        union select holder, null from share_holding
        where share_holding.subject = mentioned.subject and ${isSignedIn(sql`holder`)}) reader
      where ${isNews} and ${isMemberOf(sql`tweet.audience`, sql`reader`)}),
    made as (
      insert into wallet_alert (wallet, type, agent_id, tweet_ids, at)
      select wallet, type, agent_id, (array_agg(tweet_id order by tweet_id desc))[1:50], ${now}::timestamptz
      from told where not exists (
        select from wallet_alert known where known.wallet = told.wallet and known.type = told.type
          and known.agent_id = told.agent_id and told.tweet_id = any(known.tweet_ids))
      group by wallet, type, agent_id order by wallet, type, agent_id
      on conflict (wallet, type, agent_id) where not is_read and type <> 'PRICE_MOVE'
      do update set tweet_ids = (excluded.tweet_ids || wallet_alert.tweet_ids)[1:50], at = excluded.at
      returning id, wallet, xmax = 0 as is_new)
    ${pushOf(now)}`)
  queue.announce(db, 'send_push')
}

/** Tells of prices that have moved as far within a day as a wallet wanted to know. */
async function tellOfPrices({ clock, queue }: AlertDeps, db: Db, agentIds: readonly string[]): Promise<void> {
  if (agentIds.length === 0) return
  const now = clock.now()
  const [dayAgo, quietSince] = [new Date(now.getTime() - DAY_MS), new Date(now.getTime() - QUIET_MS)]
  // The price is the square of the supply, and a launch begins with one share.
  await db.run(sql`
    with moved as (
      select agent.id as agent_id, agent.price_wei,
        100 * (power(agent.supply::double precision
          / greatest(1, ${supplyAt(sql`agent.subject`, sql`${dayAgo}::timestamptz`)}), 2) - 1) as percent
      from agent where agent.id = any(${agentIds}::uuid[])),
    told as (
      update wallet_watch set told_at = ${now}, told_percent = moved.percent from moved
      where wallet_watch.agent_id = moved.agent_id and abs(moved.percent) >= price_move_percent
        and (told_at is null or told_at <= ${quietSince} or abs(moved.percent) >= 2 * abs(told_percent))
        and ${isSignedIn(sql`wallet_watch.wallet`)}
      returning wallet_watch.wallet, wallet_watch.agent_id, moved.percent, moved.price_wei),
    made as (
      insert into wallet_alert (wallet, type, agent_id, percent, price_wei, at)
      select wallet, 'PRICE_MOVE', agent_id, percent, price_wei, ${now}::timestamptz from told
      returning id, wallet, true as is_new)
    ${pushOf(now)}`)
  queue.announce(db, 'send_push')
}

/** Ends a statement whose `made` are alerts: a message to each browser of those who were told something new. */
function pushOf(now: Date): Sql {
  return jobInsert(
    'send_push',
    {
      id: sql`gen_random_uuid()`,
      payload: sql`jsonb_build_object('subscriptionId', push_subscription.id, 'alertId', made.id)`,
    },
    now,
    sql`made join push_subscription on push_subscription.wallet = made.wallet where made.is_new`,
  )
}
