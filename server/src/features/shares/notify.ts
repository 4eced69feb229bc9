import { formatEther } from 'viem'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { notifyOfTrades, type OutsideNotice } from '../notifications/notify-trades.js'
import type { TradeEvent } from './decode.js'

/** Trades in blocks older than this do not notify while the service catches up with the chain. */
const OLDEST_MS = 24 * 60 * 60_000

/**
 * Notifies agents of trades of their shares. After a downtime the trades of the last day still notify, but a chain that is
 * read from its beginning does not fill inboxes with its history. `notices` are written by the same statement, because
 * inboxes that one statement changes cannot deadlock with another's.
 */
export function notifyAgents(
  deps: Pick<Deps, 'clock' | 'ids' | 'events'>,
  db: Db,
  trades: readonly TradeEvent[],
  notices: readonly OutsideNotice[],
  { catchingUp }: { readonly catchingUp: boolean },
): Promise<void> {
  const oldest = (deps.clock.now().getTime() - OLDEST_MS) / 1000
  const recent = catchingUp ? trades.filter(({ time }) => time >= oldest) : trades
  return notifyOfTrades(
    db,
    deps,
    recent.map((trade) => ({ subject: trade.subject, isBuy: trade.isBuy, trade: notifiedTradeView(trade) })),
    notices,
  )
}

function notifiedTradeView({ id, transactionHash, trader, amount, priceWei, subjectFeeWei, time }: TradeEvent) {
  return {
    id,
    transactionHash,
    traderAddress: trader,
    shareAmount: amount,
    priceBNB: formatEther(priceWei),
    priceWei: priceWei.toString(),
    subjectFeeBNB: formatEther(subjectFeeWei),
    subjectFeeWei: subjectFeeWei.toString(),
    tradedAt: new Date(time * 1000).toISOString(),
  }
}
