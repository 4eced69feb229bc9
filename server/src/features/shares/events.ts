import type { EventType, Trade, TradeStatus } from '@rookery/api'
import type { TradeEvent } from '../../foundation/chain/decode.js'
import type { Db } from '../../foundation/db/db.js'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventLog } from '../../foundation/events/log.js'
import { positionOf } from './event-rows.js'
import { findBySubject, findByWallet } from './parties.js'
import type { TradeRow } from './trades.js'
import { tradeView } from './view.js'

/** A trade as an event carries it: a reorganisation may take its row away before the event is told. */
interface ToldTrade {
  readonly id: string
  readonly transactionHash: string
  readonly position: number
  readonly time: number
  readonly trader: `0x${string}`
  readonly subject: `0x${string}`
  readonly isBuy: boolean
  readonly amount: number
  readonly priceWei: string
  readonly protocolFeeWei: string
  readonly subjectFeeWei: string
  readonly supply: number
}

/** Writes that something happened to trades, in the caller's transaction. */
export async function appendTradeEvents(
  events: EventLog,
  db: Db,
  type: Extract<EventType, `trade.${string}`>,
  trades: readonly TradeEvent[],
): Promise<void> {
  if (trades.length === 0) return
  const agents = await findBySubject(
    db,
    trades.map(({ subject }) => subject),
  )
  const told = trades.map((trade) => ({ type, agentId: agents.get(trade.subject)?.id ?? null, data: toldTrade(trade) }))
  await events.append(db, told)
}

function toldTrade(trade: TradeEvent): ToldTrade {
  return {
    id: trade.id,
    transactionHash: trade.transactionHash,
    position: positionOf(trade),
    time: trade.time,
    trader: trade.trader as `0x${string}`,
    subject: trade.subject as `0x${string}`,
    isBuy: trade.isBuy,
    amount: trade.amount,
    priceWei: trade.priceWei.toString(),
    protocolFeeWei: trade.protocolFeeWei.toString(),
    subjectFeeWei: trade.subjectFeeWei.toString(),
    supply: trade.supply,
  }
}

function rowOf(data: object): TradeRow {
  const trade = data as ToldTrade
  return {
    id: trade.id,
    transaction_hash: Buffer.from(trade.transactionHash.slice(2), 'hex'),
    position: BigInt(trade.position),
    at: new Date(trade.time * 1000),
    trader: trade.trader,
    subject: trade.subject,
    is_buy: trade.isBuy,
    amount: trade.amount,
    price_wei: trade.priceWei,
    protocol_fee_wei: trade.protocolFeeWei,
    subject_fee_wei: trade.subjectFeeWei,
    supply: trade.supply,
  }
}

function toldAs(status: TradeStatus): EventView<Trade> {
  return async (db, wanted) => {
    const trades = new Map(wanted.map(({ row }) => [row.id, rowOf(row.data)]))
    const all = [...trades.values()]
    const wallets = await findByWallet(
      db,
      all.map(({ trader }) => trader),
    )
    const subjects = await findBySubject(
      db,
      all.map(({ subject }) => subject),
    )
    return ({ id }) => {
      const trade = trades.get(id)
      return trade && { ...tradeView(trade, { chain: undefined, wallets, subjects }), status }
    }
  }
}

/** How trades are told. One that was taken back is waiting again for a block. */
export const tradeEvents = {
  'trade.pending': toldAs('pending'),
  'trade.confirmed': toldAs('confirmed'),
  'trade.final': toldAs('final'),
  'trade.reverted': toldAs('pending'),
} satisfies Partial<EventViews>
