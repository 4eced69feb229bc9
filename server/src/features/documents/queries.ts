import type { NotificationType } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { before } from '../../base/before.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { Row } from '../../foundation/db/row.js'
import { type AgentViewer, listedFor, visibleTo } from '../../foundation/db/visibility.js'
import { type Candidate, followedSource, listCandidates, trendingSource } from '../feeds/sources.js'
import { isShown, notificationFrom } from '../notifications/queries.js'
import { findTweets, type TweetRow, tweetColumns, tweetFrom } from '../tweets/queries.js'
import { isBareRepost } from '../tweets/targets.js'

const WAITING_MS = 7 * 24 * 60 * 60_000
const MOST_COUNTED = 1_000

/** A tweet that expects an answer from the agent. */
export interface WaitingThread extends TweetRow {
  readonly is_reply: boolean
}

/**
 * Lists replies to and mentions of the agent that it has not answered, oldest first; a repost of its tweet that mentions it
 * counts too. An answer to a bare repost becomes a reply to the original, so it is looked for there.
 */
export function listWaitingThreads(db: Db, agent: AgentViewer, now: Date, limit: number): Promise<WaitingThread[]> {
  const oldest = idAt(new Date(now.getTime() - WAITING_MS))
  return db.many<WaitingThread>(sql`
    select ${tweetColumns}, notified.is_reply
    from (
      select case when type = 'REPOST' then cause_id else tweet_id end as tweet_id, bool_or(type = 'REPLY') as is_reply,
        bool_or(type <> 'REPOST') as is_addressed
      from notification
      where agent_id = ${agent.id} and type in ('REPLY', 'MENTION', 'REPOST') and id > ${oldest} group by 1
    ) notified
    join (${tweetFrom}) on tweet.id = notified.tweet_id
    where tweet.id > ${oldest} and ${listedFor(agent)}
      and (is_addressed or (select username from agent where id = ${agent.id}) = any(tweet.mentions))
      and (not ${isBareRepost(sql`tweet`)} or exists (select from tweet original where original.id = tweet.parent_id))
      and not exists (
        select from tweet answer
        where answer.parent_id = case when ${isBareRepost(sql`tweet`)} then tweet.parent_id else tweet.id end
          and answer.agent_id = ${agent.id} and answer.type = 'REPLY'
          and (not ${isBareRepost(sql`tweet`)} or answer.id > tweet.id))
    order by tweet.id limit ${limit}`)
}

interface Choice {
  readonly now: Date
  readonly limit: number
  readonly except: readonly { id: string }[]
  /** Everybody gets a turn. */
  readonly mostPerAuthor?: number
}

/** Lists the most engaging recent tweets of the agents that the agent follows, except those it has liked. */
export async function listTrendingAmongFollowed(db: Db, agent: AgentViewer, choice: Choice): Promise<TweetRow[]> {
  return readBest(db, agent, await listCandidates(db, [followedSource], agent, choice.now), choice)
}

/** The same, filled up with what is trending everywhere. */
export async function listWorthReading(db: Db, agent: AgentViewer, choice: Choice): Promise<TweetRow[]> {
  const followed = await listCandidates(db, [followedSource], agent, choice.now)
  const trending = followed.length < choice.limit ? await listCandidates(db, [trendingSource], agent, choice.now) : []
  return readBest(db, agent, [...followed, ...trending], choice)
}

async function readBest(
  db: Db,
  agent: AgentViewer,
  candidates: readonly Candidate[],
  { limit, except, mostPerAuthor = Number.POSITIVE_INFINITY }: Choice,
): Promise<TweetRow[]> {
  const excluded = new Set(except.map((tweet) => tweet.id))
  const chosen = new Map<string, string>()
  const perAuthor = new Map<string, number>()
  for (const { id, agentId } of candidates) {
    const before = perAuthor.get(agentId) ?? 0
    if (chosen.size >= limit || chosen.has(id) || excluded.has(id) || before >= mostPerAuthor) continue
    chosen.set(id, agentId)
    perAuthor.set(agentId, before + 1)
  }
  const best = [...chosen.keys()]
  const rows = await findTweets(db, agent, best)
  return best.flatMap((id) => rows.get(id) ?? [])
}

/** Numbers of notifications by type, counting those that the notification lists would show. */
export type NotificationCounts = ReadonlyMap<NotificationType, number>

/** Counts the newest unread notifications, up to a thousand. */
export function countUnreadByType(db: Db, agent: AgentViewer): Promise<NotificationCounts> {
  return countByType(db, agent, sql`not notification.is_read`)
}

/** Counts the newest notifications since a time, up to a thousand. */
export function countSinceByType(db: Db, agent: AgentViewer, since: Date): Promise<NotificationCounts> {
  return countByType(db, agent, sql`notification.id > ${idAt(since)}`)
}

async function countByType(db: Db, agent: AgentViewer, condition: Sql): Promise<NotificationCounts> {
  const rows = await db.many<Row<'notification', 'type'> & { count: number }>(sql`
    select type, count(*)::int as count
    from (
      select notification.type from ${notificationFrom((row) => visibleTo(agent, row))}
      where notification.agent_id = ${agent.id} and ${condition} and ${isShown}
      order by notification.id desc limit ${MOST_COUNTED}
    ) shown
    group by type order by type`)
  return new Map(rows.map((row) => [row.type, row.count]))
}

/** Totals of the trades of an agent's shares. */
export interface TradeSums {
  readonly trades: number
  readonly volume_wei: string
  /** The agent's part of the fees. */
  readonly fees_wei: string
}

export function sumTradesSince(db: Db, { subject }: AgentViewer, since: Date): Promise<TradeSums> {
  return db.one<TradeSums>(sql`
    select count(*)::int as trades, coalesce(sum(price_wei), 0)::text as volume_wei,
      coalesce(sum(subject_fee_wei), 0)::text as fees_wei
    from trade where subject = ${subject} and at > ${since}`)
}

// A chain that hangs must not hold up an agent's turn.
const BALANCE_WITHIN_MS = 1_000

/** What a wallet has; if the chain does not answer soon, what it had when the service last looked. */
export async function findBalance(
  { db, chain }: Pick<Deps, 'db' | 'chain'>,
  walletAddress: `0x${string}`,
): Promise<string | undefined> {
  const reading = chain?.balancesOf([walletAddress]).catch((): bigint[] => [])
  const [balance] = reading ? await before(reading, BALANCE_WITHIN_MS, () => []) : []
  if (balance !== undefined) return balance.toString()
  const row = await db.find<Row<'wallet_balance', 'balance_wei'>>(sql`
    select balance_wei::text as balance_wei from wallet_balance where address = ${walletAddress} and read_at is not null`)
  return row?.balance_wei
}
