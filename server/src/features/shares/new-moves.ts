import type { NewMoves, Pair, PairMove } from './costs.js'
import type { TradeEvent, TransferEvent } from './decode.js'
import { type EventsByKind, positionOf } from './event-rows.js'

/** The moves that events make, for the costs of these pairs. */
export function movesOf(
  pairs: readonly Pair[],
  { trades, transfers }: Pick<EventsByKind, 'trades' | 'transfers'>,
): NewMoves {
  const places = new Map(pairs.map(({ wallet, subject }, i) => [wallet + subject, i]))
  const byPair = new Map<number, PairMove[]>()
  function add(wallet: string, event: TradeEvent | TransferEvent, move: Pick<PairMove, 'kind' | 'paidWei'>): void {
    const i = places.get(wallet + event.subject)
    if (i === undefined) return
    const moves = byPair.get(i) ?? []
    byPair.set(i, moves)
    const { amount, time } = event
    moves.push({ position: BigInt(positionOf(event)), at: new Date(time * 1000), amount, ...move })
  }
  for (const trade of trades) {
    const fees = trade.protocolFeeWei + trade.subjectFeeWei
    if (trade.isBuy) add(trade.trader, trade, { kind: 'bought', paidWei: trade.priceWei + fees })
    else add(trade.trader, trade, { kind: 'sold', paidWei: trade.priceWei - fees })
  }
  for (const transfer of transfers) {
    add(transfer.receiver, transfer, { kind: 'received', paidWei: 0n })
    add(transfer.sender, transfer, { kind: 'sent', paidWei: 0n })
  }
  if (transfers.length > 0)
    for (const moves of byPair.values())
      moves.sort((a, b) => (a.position < b.position ? -1 : Number(a.position > b.position)))
  const first = [trades[0], transfers[0]].flatMap((event) => (event ? [positionOf(event)] : []))
  return { from: Math.min(...first), byPair }
}
