import sql from 'sql-template-tag'
import { dayOf } from '../../base/clock.js'
import type { Deps } from '../../deps.js'
import { type ChainState, findChainState } from '../../foundation/chain/cursor.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { LOGS_PER_BLOCK, placeAt } from '../shares/event-rows.js'
import { type PreparedTrade, type Settled, sumTraded } from './traded-today.js'

type PreparedDeps = Pick<Deps, 'clock' | 'ids'>

const DAY_MS = 24 * 60 * 60_000
/** A transfer that is sent later than this no longer counts as prepared. */
export const KEPT_MS = 30 * DAY_MS
/** How far the chain's clock may be behind ours. */
const SKEW_MS = 15_000

export async function insertPreparedTrade(
  db: Db,
  { ids }: PreparedDeps,
  agentId: string,
  trade: PreparedTrade,
  { isOwners = false }: { readonly isOwners?: boolean } = {},
): Promise<void> {
  const { wallet, subject, side, amount, receiver, worthWei, block, createdAt, expiresAt, approvalId = null } = trade
  await db.run(sql`
    insert into prepared_trade (id, agent_id, wallet, subject, side, amount, receiver, worth_wei, block, created_at,
      expires_at, approval_id, is_owners)
    values (${ids.next()}, ${agentId}, ${wallet}, ${subject}, ${side}, ${amount}, ${receiver}, ${worthWei.toString()},
      ${block}, ${createdAt}, ${expiresAt}, ${approvalId}, ${isOwners})`)
}

/** What an agent has used of its owner's daily cap today. */
export async function countTradedToday(db: Db, { clock }: Pick<Deps, 'clock'>, agentId: string): Promise<bigint> {
  const now = clock.now()
  const start = new Date(`${dayOf(now)}T00:00:00.000Z`)
  const { traded_wei } = await db.one<{ traded_wei: string }>(sql`
    select coalesce(sum(traded_wei), 0)::text as traded_wei from agent_usage
    where agent_id = ${agentId} and day = ${dayOf(now)}`)
  const chain = await findChainState(db)
  const indexedUntil = new Date(chain ? passedBy(chain) : 0)
  const prepared = await listPreparedTrades(db, agentId, start, indexedUntil)
  if (prepared.length === 0) return BigInt(traded_wei)
  const settled = await listSettled(db, prepared)
  const isIndexed = (until: Date) => until < indexedUntil
  return BigInt(traded_wei) + sumTraded(prepared, settled, { start, isIndexed })
}

// The index has passed a time when it has a later block, or when it had everything a while after.
function passedBy({ time, number, head, checkedAt }: ChainState): number {
  return Math.max((time ?? 0) * 1000, number >= head ? checkedAt.getTime() - SKEW_MS : 0)
}

type PreparedRow = Row<
  'prepared_trade',
  'wallet' | 'subject' | 'side' | 'amount' | 'receiver' | 'worth_wei' | 'block' | 'created_at' | 'expires_at'
>

/**
 * Those that can count today: a trade that can still be sent or was sent, or a transfer that was prepared or may have
 * been sent today. An agent may ask for many quotes and send few, so what was given back is not read again.
 */
async function listPreparedTrades(db: Db, agentId: string, start: Date, indexedUntil: Date): Promise<PreparedTrade[]> {
  const rows = await db.many<PreparedRow>(sql`
    select wallet, subject, side, amount, receiver, worth_wei, block, created_at, expires_at from prepared_trade
    where agent_id = ${agentId} and not is_owners and created_at >= ${new Date(start.getTime() - KEPT_MS)}
      and ((expires_at >= ${start} and (expires_at >= ${indexedUntil} or exists (
        select from trade
        where trader = prepared_trade.wallet and position >= (prepared_trade.block + 1) * ${LOGS_PER_BLOCK}::bigint
          and trade.subject = prepared_trade.subject and trade.amount = prepared_trade.amount
          and is_buy = (side = 'buy') and trade.at <= expires_at
      ))) or (expires_at is null and (created_at >= ${start} or exists (
        select from share_transfer
        where sender = prepared_trade.wallet and position >= (prepared_trade.block + 1) * ${LOGS_PER_BLOCK}::bigint
          and share_transfer.subject = prepared_trade.subject and share_transfer.receiver = prepared_trade.receiver
          and share_transfer.amount = prepared_trade.amount and share_transfer.at >= ${start}))))
    order by block, created_at`)
  return rows.map(({ worth_wei, block, created_at, expires_at, side, ...row }) => ({
    ...row,
    side: side as PreparedTrade['side'],
    worthWei: BigInt(worth_wei),
    block: Number(block),
    createdAt: created_at,
    expiresAt: expires_at,
  }))
}

interface SettledRow {
  wallet: string
  subject: string
  side: Settled['side']
  amount: number
  receiver: string | null
  position: bigint
  at: Date
  worth_wei: string | null
}

/** What the wallets of these trades did since the first of them was prepared. */
async function listSettled(db: Db, prepared: readonly PreparedTrade[]): Promise<Settled[]> {
  const wallets = [...new Set(prepared.map(({ wallet }) => wallet))]
  const from = (Math.min(...prepared.map(({ block }) => block)) + 1) * LOGS_PER_BLOCK
  const rows = await db.many<SettledRow>(sql`
    select trader as wallet, subject, case when is_buy then 'buy' else 'sell' end as side, amount, null as receiver,
      position, at, case when is_buy then price_wei + protocol_fee_wei + subject_fee_wei else price_wei end as worth_wei
    from trade where trader = any (${wallets}) and position >= ${from}
    union all
    select sender, subject, 'transfer', amount, receiver, position, at, null
    from share_transfer where sender = any (${wallets}) and position >= ${from}
    order by position`)
  return rows.map(({ position, worth_wei, ...row }) => ({
    ...row,
    block: placeAt(Number(position)).block,
    worthWei: worth_wei === null ? null : BigInt(worth_wei),
  }))
}

export async function deleteOldPreparedTrades({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const now = clock.now().getTime()
  const chain = await findChainState(db)
  // While the index is behind, what happened by a deadline is not known yet.
  const passed = Math.min(now, chain ? passedBy(chain) : now)
  await db.run(sql`
    delete from prepared_trade where created_at < ${new Date(now - 2 * DAY_MS)} and case
      when settled_by is not null then settled_at < ${new Date(now - KEPT_MS - DAY_MS)}
      when expires_at is not null then expires_at < ${new Date(passed - 2 * DAY_MS)}
      else created_at < ${new Date(passed - KEPT_MS - DAY_MS)} end`)
}
