import sql, { type Sql } from 'sql-template-tag'
import type { BlockSpan } from '../../foundation/chain/block-sink.js'
import { WrongAnswer } from '../../foundation/chain/wrong-answer.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import { literal } from '../../foundation/db/literal.js'
import type { Row } from '../../foundation/db/row.js'
import type { ClaimEvent, LaunchEvent, Place, TradeEvent, TransferEvent } from './decode.js'

/** More logs than a block can have. */
export const LOGS_PER_BLOCK = 1_000_000

/** An event's place in the order of all events. */
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
  readonly claims: readonly ClaimEvent[]
}

const placeArrays = (events: EventsByKind[keyof EventsByKind][number][]) => [
  literal(events.map((event) => event.transactionHash.slice(2))),
  literal(events.map((event) => event.logIndex)),
  literal(events.map(positionOf)),
  literal(events.map((event) => event.time)),
]

// Two large indexes begin with the trader: in their order, a set of trades touches each page once.
const byPair = (a: TradeEvent, b: TradeEvent) => compareText(a.trader, b.trader) || compareText(a.subject, b.subject)

/** Orders addresses byte by byte, as the database does. */
export const compareText = (a: string, b: string) => (a < b ? -1 : Number(a > b))

/** Builds the statements that insert events. */
export function buildInserts({ trades, transfers, launches, claims }: EventsByKind): Sql[] {
  return [
    ...(trades.length > 0 ? [tradeInsert(trades.toSorted(byPair))] : []),
    ...(transfers.length > 0 ? [transferInsert(transfers)] : []),
    ...(launches.length > 0 ? [launchInsert(launches)] : []),
    ...(claims.length > 0 ? [claimInsert(claims)] : []),
  ]
}

/** Inserts events. The caller's cursor has not reached them yet, so a duplicate means that the node answered wrongly. */
export async function insertEvents(db: Db, inserts: readonly Sql[]): Promise<void> {
  try {
    for (const insert of inserts) await db.run(insert)
  } catch (error) {
    if (violatedConstraint(error)) throw new WrongAnswer('the node named an event twice')
    throw error
  }
}

function tradeInsert(trades: EventsByKind['trades']): Sql {
  const [hashes, indexes, positions, times] = placeArrays([...trades])
  return sql`
    insert into trade (transaction_hash, log_index, position, id, at, trader, subject, is_buy, amount, price_wei,
      protocol_fee_wei, subject_fee_wei, supply, balance)
    select decode(hash, 'hex'), log_index, position, id, to_timestamp(time), trader, subject, is_buy, amount, price,
      protocol_fee, subject_fee, supply, balance
    from unnest(${hashes}::text[], ${indexes}::integer[], ${positions}::bigint[], ${times}::double precision[],
      ${literal(trades.map((trade) => trade.id))}::uuid[],
      ${literal(trades.map((trade) => trade.trader))}::text[],
      ${literal(trades.map((trade) => trade.subject))}::text[],
      ${literal(trades.map((trade) => trade.isBuy))}::boolean[],
      ${literal(trades.map((trade) => trade.amount))}::integer[],
      ${literal(trades.map((trade) => trade.priceWei))}::numeric[],
      ${literal(trades.map((trade) => trade.protocolFeeWei))}::numeric[],
      ${literal(trades.map((trade) => trade.subjectFeeWei))}::numeric[],
      ${literal(trades.map((trade) => trade.supply))}::integer[],
      ${literal(trades.map((trade) => trade.balance))}::integer[])
      as input (hash, log_index, position, time, id, trader, subject, is_buy, amount, price, protocol_fee, subject_fee,
        supply, balance)`
}

function transferInsert(transfers: EventsByKind['transfers']): Sql {
  const [hashes, indexes, positions, times] = placeArrays([...transfers])
  return sql`
    insert into share_transfer (transaction_hash, log_index, position, id, at, sender, receiver, subject, amount,
      sender_balance, receiver_balance)
    select decode(hash, 'hex'), log_index, position, id, to_timestamp(time), sender, receiver, subject, amount,
      sender_balance, receiver_balance
    from unnest(${hashes}::text[], ${indexes}::integer[], ${positions}::bigint[], ${times}::double precision[],
      ${literal(transfers.map((transfer) => transfer.id))}::uuid[],
      ${literal(transfers.map((transfer) => transfer.sender))}::text[],
      ${literal(transfers.map((transfer) => transfer.receiver))}::text[],
      ${literal(transfers.map((transfer) => transfer.subject))}::text[],
      ${literal(transfers.map((transfer) => transfer.amount))}::integer[],
      ${literal(transfers.map((transfer) => transfer.senderBalance))}::integer[],
      ${literal(transfers.map((transfer) => transfer.receiverBalance))}::integer[])
      as input (hash, log_index, position, time, id, sender, receiver, subject, amount, sender_balance, receiver_balance)`
}

function launchInsert(launches: EventsByKind['launches']): Sql {
  const [hashes, indexes, positions, times] = placeArrays([...launches])
  return sql`
    insert into share_launch (transaction_hash, log_index, position, at, subject, owner, name)
    select decode(hash, 'hex'), log_index, position, to_timestamp(time), subject, owner, name
    from unnest(${hashes}::text[], ${indexes}::integer[], ${positions}::bigint[], ${times}::double precision[],
      ${literal(launches.map((launch) => launch.subject))}::text[],
      ${literal(launches.map((launch) => launch.owner))}::text[],
      ${launches.map((launch) => launch.name)}::text[])
      as input (hash, log_index, position, time, subject, owner, name)`
}

function claimInsert(claims: EventsByKind['claims']): Sql {
  const [hashes, indexes, positions, times] = placeArrays([...claims])
  return sql`
    insert into fee_claim (transaction_hash, log_index, position, id, at, subject, receiver, amount_wei)
    select decode(hash, 'hex'), log_index, position, id, to_timestamp(time), subject, receiver, amount
    from unnest(${hashes}::text[], ${indexes}::integer[], ${positions}::bigint[], ${times}::double precision[],
      ${literal(claims.map((claim) => claim.id))}::uuid[],
      ${literal(claims.map((claim) => claim.subject))}::text[],
      ${literal(claims.map((claim) => claim.receiver))}::text[],
      ${literal(claims.map((claim) => claim.amountWei))}::numeric[])
      as input (hash, log_index, position, time, id, subject, receiver, amount)`
}

type PlaceRow = Row<'trade', 'transaction_hash' | 'position' | 'at'>

export function placeOf({ transaction_hash, position, at }: PlaceRow): Omit<Place, 'id'> {
  return {
    transactionHash: `0x${transaction_hash.toString('hex')}`,
    ...placeAt(Number(position)),
    time: at.getTime() / 1000,
  }
}

/**
 * Deletes the newest events from a position on and returns them: about `limit` of them, since all may not fit into
 * memory. `isAll` is set when none are left.
 */
export async function deleteNewestEvents(
  db: Db,
  from: number,
  limit: number,
): Promise<EventsByKind & { readonly isAll: boolean }> {
  // Trades and transfers are cut at the same position, so that the rest is a complete history up to there.
  const { cut } = await db.one<{ cut: bigint }>(sql`
    select greatest(${from}::bigint,
      (select position from trade where position >= ${from} order by position desc offset ${limit} limit 1),
      (select position from share_transfer where position >= ${from} order by position desc offset ${limit} limit 1)
    ) as cut`)
  const trades = await db.many<TradeRow>(sql`delete from trade where position >= ${cut} returning ${tradeColumns}`)
  const transfers = await db.many<Row<'share_transfer'>>(
    sql`delete from share_transfer where position >= ${cut} returning *`,
  )
  const launches = await db.many<Row<'share_launch'>>(
    sql`delete from share_launch where position >= ${cut} returning *`,
  )
  const claims = await db.many<Row<'fee_claim'>>(sql`delete from fee_claim where position >= ${cut} returning *`)
  return {
    trades: sortByPosition(trades).map(tradeOf),
    transfers: sortByPosition(transfers).map(transferOf),
    launches: sortByPosition(launches).map(launchOf),
    claims: sortByPosition(claims).map(claimOf),
    isAll: cut === BigInt(from),
  }
}

function sortByPosition<Settled extends PlaceRow>(rows: Settled[]): Settled[] {
  return rows.sort((a, b) => (a.position < b.position ? -1 : 1))
}

/** Trades of the blocks after `from`, up to and including `to`, in order. */
export async function listTradeEvents(db: Db, { from, to }: BlockSpan): Promise<TradeEvent[]> {
  const rows = await db.many<TradeRow>(sql`
    select ${tradeColumns} from trade where position >= ${(from + 1) * LOGS_PER_BLOCK} and position < ${(to + 1) * LOGS_PER_BLOCK}
    order by position`)
  return rows.map(tradeOf)
}

/** The newest block with a trade or transfer of an agent's shares. */
export async function findLastBlock(db: Db, subject: string): Promise<number | undefined> {
  const { position } = await db.one<{ position: bigint | null }>(sql`
    select greatest(
      (select position from trade where subject = ${subject} order by at desc, position desc limit 1),
      (select position from share_transfer where subject = ${subject} order by at desc, position desc limit 1)
    ) as position`)
  return position === null ? undefined : placeAt(Number(position)).block
}

/** The columns that trades and transfers have in common. */
export type SettledRow = PlaceRow & Row<'trade', 'id' | 'subject' | 'amount'>

export type TradeRow = Omit<Row<'trade'>, 'log_index'>

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

export function transferOf(row: Row<'share_transfer'>): TransferEvent {
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

function launchOf(row: Row<'share_launch'>): LaunchEvent {
  return { kind: 'launch', ...placeOf(row), id: row.subject, subject: row.subject, owner: row.owner, name: row.name }
}

export function claimOf(row: Row<'fee_claim'>): ClaimEvent {
  const { subject, receiver } = row
  return { kind: 'claim', ...placeOf(row), id: row.id, subject, receiver, amountWei: BigInt(row.amount_wei) }
}
