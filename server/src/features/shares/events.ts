import type { Trade, TradeStatus } from '@rookery/api'
import type { Db } from '../../foundation/db/db.js'
import type { EventView, EventViews } from '../../foundation/events/event-view.js'
import type { EventLog } from '../../foundation/events/log.js'
import type { TradeEvent } from './decode.js'
import { placeAt, positionOf } from './event-rows.js'
import { findBySubject, findByWallet } from './parties.js'
import { tradeView } from './view.js'

type Amounts = 'priceWei' | 'protocolFeeWei' | 'subjectFeeWei'

/**
 * A trade as stored in an event, because a reorganisation may delete its row before the event is delivered. Events of
 * older releases have the same members.
 */
type StoredTrade = Omit<TradeEvent, 'kind' | 'block' | 'logIndex' | 'balance' | Amounts> & {
  readonly position: number
} & Readonly<Record<Amounts, string>>

/** Appends an event for each trade, in the caller's transaction. */
export async function appendTradeEvents(
  events: EventLog,
  db: Db,
  type: `trade.${TradeStatus | 'reverted'}`,
  trades: readonly TradeEvent[],
): Promise<void> {
  if (trades.length === 0) return
  const agents = await findBySubject(
    db,
    trades.map(({ subject }) => subject),
  )
  await events.append(
    db,
    trades.map((trade) => ({ type, agentId: agents.get(trade.subject)?.id ?? null, data: storedTrade(trade) })),
  )
}

function storedTrade({ kind: _, block, logIndex, balance: __, ...trade }: TradeEvent): StoredTrade {
  return {
    ...trade,
    position: positionOf({ block, logIndex }),
    priceWei: trade.priceWei.toString(),
    protocolFeeWei: trade.protocolFeeWei.toString(),
    subjectFeeWei: trade.subjectFeeWei.toString(),
  }
}

function parseTrade(data: object): Omit<TradeEvent, 'balance'> {
  const { position, ...trade } = data as StoredTrade
  return {
    kind: 'trade',
    ...trade,
    ...placeAt(position),
    priceWei: BigInt(trade.priceWei),
    protocolFeeWei: BigInt(trade.protocolFeeWei),
    subjectFeeWei: BigInt(trade.subjectFeeWei),
  }
}

function viewWith(status: TradeStatus): EventView<Trade> {
  return async (db, wanted) => {
    const trades = new Map(wanted.map(({ row }) => [row.id, parseTrade(row.data)]))
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

/** A reverted trade is pending again: it waits for another block. */
export const tradeEvents = {
  'trade.pending': viewWith('pending'),
  'trade.confirmed': viewWith('confirmed'),
  'trade.final': viewWith('final'),
  'trade.reverted': viewWith('pending'),
} satisfies Partial<EventViews>
