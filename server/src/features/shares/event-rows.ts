import sql, { type Sql } from 'sql-template-tag'
import type { Address } from 'viem'
import type { BlockSpan } from '../../foundation/chain/block-sink.js'
import { WrongAnswer } from '../../foundation/chain/wrong-answer.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { LaunchEvent, Place, TradeEvent, TransferEvent } from './decode.js'

/** More logs than a block can have. */
export const LOGS_PER_BLOCK = 1_000_000

/** Where an event stands in the order of all events. */
export function positionOf({ block, logIndex }: Pick<Place, 'block' | 'logIndex'>): number {
  return block * LOGS_PER_BLOCK + logIndex
}

/** The reverse of `positionOf`. */
export function placeAt(position: number): Pick<Place, 'block' | 'logIndex'> {
  return { block: Math.floor(position / LOGS_PER_BLOCK), logIndex: position % LOGS_PER_BLOCK }
}

/** Events by kind, each in the order they happened. */
export interface EventsByKind {
  readonly trades: readonly TradeEvent[]
  readonly transfers: readonly TransferEvent[]
  readonly launches: readonly LaunchEvent[]
}

const places = (events: EventsByKind['trades' | 'transfers' | 'launches'][number][]) => [
  literal(events.map((it) => it.transactionHash.slice(2))),
  literal(events.map((it) => it.logIndex)),
  literal(events.map(positionOf)),
  literal(events.map((it) => it.time)),
]

/** The statements that add events. */
export function insertsOf({ trades, transfers, launches }: EventsByKind): Sql[] {
  return [
    ...(trades.length > 0 ? [insertTrades(trades)] : []),
    ...(transfers.length > 0 ? [insertTransfers(transfers)] : []),
    ...(launches.length > 0 ? [insertLaunches(launches)] : []),
  ]
}

/** Adds rows. One that is there already is an answer that cannot be true: the caller's cursor has passed it. */
export async function insertEvents(db: Db, inserts: readonly Sql[]): Promise<void> {
  try {
    for (const insert of inserts) await db.run(insert)
  } catch (error) {
    if (violatedConstraint(error)) throw new WrongAnswer('the node named an event twice')
    throw error
  }
}

function insertTrades(trades: EventsByKind['trades']): Sql {
  const [hashes, indexes, positions, times] = places([...trades])
  return sql`
    insert into trade (transaction_hash, log_index, position, id, at, trader, subject, is_buy, amount, price_wei,
      protocol_fee_wei, subject_fee_wei, supply, balance)
    select decode(hash, 'hex'), log_index, position, id, to_timestamp(time), trader, subject, is_buy, amount, price,
      protocol_fee, subject_fee, supply, balance
    from unnest(${hashes}::text[], ${indexes}::integer[], ${positions}::bigint[], ${times}::double precision[],
      ${literal(trades.map((it) => it.id))}::uuid[],
      ${literal(trades.map((it) => it.trader))}::text[],
      ${literal(trades.map((it) => it.subject))}::text[],
      ${literal(trades.map((it) => it.isBuy))}::boolean[],
      ${literal(trades.map((it) => it.amount))}::integer[],
      ${literal(trades.map((it) => it.priceWei))}::numeric[],
      ${literal(trades.map((it) => it.protocolFeeWei))}::numeric[],
      ${literal(trades.map((it) => it.subjectFeeWei))}::numeric[],
      ${literal(trades.map((it) => it.supply))}::integer[],
      ${literal(trades.map((it) => it.balance))}::integer[])
      as it (hash, log_index, position, time, id, trader, subject, is_buy, amount, price, protocol_fee, subject_fee,
        supply, balance)`
}

function insertTransfers(transfers: EventsByKind['transfers']): Sql {
  const [hashes, indexes, positions, times] = places([...transfers])
  return sql`
    insert into share_transfer (transaction_hash, log_index, position, id, at, sender, receiver, subject, amount,
      sender_balance, receiver_balance)
    select decode(hash, 'hex'), log_index, position, id, to_timestamp(time), sender, receiver, subject, amount,
      sender_balance, receiver_balance
    from unnest(${hashes}::text[], ${indexes}::integer[], ${positions}::bigint[], ${times}::double precision[],
      ${literal(transfers.map((it) => it.id))}::uuid[],
      ${literal(transfers.map((it) => it.sender))}::text[],
      ${literal(transfers.map((it) => it.receiver))}::text[],
      ${literal(transfers.map((it) => it.subject))}::text[],
      ${literal(transfers.map((it) => it.amount))}::integer[],
      ${literal(transfers.map((it) => it.senderBalance))}::integer[],
      ${literal(transfers.map((it) => it.receiverBalance))}::integer[])
      as it (hash, log_index, position, time, id, sender, receiver, subject, amount, sender_balance, receiver_balance)`
}

function insertLaunches(launches: EventsByKind['launches']): Sql {
  const [hashes, indexes, positions, times] = places([...launches])
  return sql`
    insert into share_launch (transaction_hash, log_index, position, at, subject, owner, name)
    select decode(hash, 'hex'), log_index, position, to_timestamp(time), subject, owner, name
    from unnest(${hashes}::text[], ${indexes}::integer[], ${positions}::bigint[], ${times}::double precision[],
      ${literal(launches.map((it) => it.subject))}::text[],
      ${literal(launches.map((it) => it.owner))}::text[],
      ${launches.map((it) => it.name)}::text[])
      as it (hash, log_index, position, time, subject, owner, name)`
}

interface PlaceRow {
  readonly transaction_hash: Buffer
  readonly position: bigint
  readonly at: Date
}

export function placeOf({ transaction_hash, position, at }: PlaceRow): Omit<Place, 'id'> {
  return {
    transactionHash: `0x${transaction_hash.toString('hex')}`,
    ...placeAt(Number(position)),
    time: at.getTime() / 1000,
  }
}

/**
 * Takes away the newest events from a position on and returns them: about so many, since there may be more than memory
 * has room for. `isAll` says that none are left.
 */
export async function deleteNewestEvents(
  db: Db,
  from: number,
  limit: number,
): Promise<EventsByKind & { readonly isAll: boolean }> {
  // The newest trades and transfers are cut at one position, so that what is left is again a beginning of the history.
  const { cut } = await db.one<{ cut: bigint }>(sql`
    select greatest(${from}::bigint,
      (select position from trade where position >= ${from} order by position desc offset ${limit} limit 1),
      (select position from share_transfer where position >= ${from} order by position desc offset ${limit} limit 1)
    ) as cut`)
  const trades = await db.many<TradeRow>(sql`delete from trade where position >= ${cut} returning ${tradeColumns}`)
  const transfers = await db.many<TransferRow>(sql`delete from share_transfer where position >= ${cut} returning *`)
  const launches = await db.many<LaunchRow>(sql`delete from share_launch where position >= ${cut} returning *`)
  return {
    trades: inOrder(trades).map(tradeOf),
    transfers: inOrder(transfers).map(transferOf),
    launches: inOrder(launches).map(launchOf),
    isAll: cut === BigInt(from),
  }
}

function inOrder<Row extends PlaceRow>(rows: Row[]): Row[] {
  return rows.sort((a, b) => (a.position < b.position ? -1 : 1))
}

/** Trades of the blocks after `from`, up to `to`, in order. */
export async function listTradeEvents(db: Db, { from, to }: BlockSpan): Promise<TradeEvent[]> {
  const rows = await db.many<TradeRow>(sql`
    select ${tradeColumns} from trade where position >= ${(from + 1) * LOGS_PER_BLOCK} and position < ${(to + 1) * LOGS_PER_BLOCK}
    order by position`)
  return rows.map(tradeOf)
}

/** The newest block in which something happened to an agent's shares. */
export async function findLastBlock(db: Db, subject: string): Promise<number | undefined> {
  const { position } = await db.one<{ position: bigint | null }>(sql`
    select greatest(
      (select position from trade where subject = ${subject} order by at desc, position desc limit 1),
      (select position from share_transfer where subject = ${subject} order by at desc, position desc limit 1)
    ) as position`)
  return position === null ? undefined : placeAt(Number(position)).block
}

/** What trades and transfers have in common. */
export interface SettledRow extends PlaceRow {
  readonly id: string
  readonly subject: Address
  readonly amount: number
}

export interface TradeRow extends SettledRow {
  readonly trader: Address
  readonly is_buy: boolean
  readonly price_wei: string
  readonly protocol_fee_wei: string
  readonly subject_fee_wei: string
  readonly supply: number
  readonly balance: number
}

export const tradeColumns = sql`trade.id, trade.position, trade.transaction_hash, trade.at, trade.subject, trade.amount,
  trade.trader, trade.is_buy, trade.price_wei, trade.protocol_fee_wei, trade.subject_fee_wei, trade.supply, trade.balance`

export function tradeOf(row: TradeRow): TradeEvent {
  return {
    kind: 'trade',
    ...placeOf(row),
    id: row.id,
    trader: row.trader,
    subject: row.subject,
    isBuy: row.is_buy,
    amount: row.amount,
    priceWei: BigInt(row.price_wei),
    protocolFeeWei: BigInt(row.protocol_fee_wei),
    subjectFeeWei: BigInt(row.subject_fee_wei),
    supply: row.supply,
    balance: row.balance,
  }
}

interface TransferRow extends SettledRow {
  readonly sender: Address
  readonly receiver: Address
  readonly sender_balance: number
  readonly receiver_balance: number
}

function transferOf(row: TransferRow): TransferEvent {
  return {
    kind: 'transfer',
    ...placeOf(row),
    id: row.id,
    sender: row.sender,
    receiver: row.receiver,
    subject: row.subject,
    amount: row.amount,
    senderBalance: row.sender_balance,
    receiverBalance: row.receiver_balance,
  }
}

interface LaunchRow extends PlaceRow {
  readonly subject: Address
  readonly owner: Address
  readonly name: string
}

function launchOf(row: LaunchRow): LaunchEvent {
  return { kind: 'launch', ...placeOf(row), id: row.subject, subject: row.subject, owner: row.owner, name: row.name }
}
