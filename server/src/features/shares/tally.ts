import { LostLogs } from '../../foundation/chain/block-sink.js'
import { trendOf } from '../../foundation/trend.js'
import type { ShareEvent, TradeEvent, TransferEvent } from './decode.js'
import { compareText } from './event-rows.js'

/** How events changed one wallet's holding of one agent's shares. */
export interface PairChange {
  readonly subject: string
  readonly holder: string
  readonly before: number
  after: number
  /** Whether any of the shares were bought rather than received. */
  bought: boolean
  /** Block of the first event. */
  readonly block: number
}

/** How events changed one agent's shares. */
export interface SubjectChange {
  readonly subject: string
  /** The supply; undefined while there are only transfers. */
  before: number | undefined
  after: number | undefined
  trades: number
  volumeWei: bigint
  /** The trades' contribution to the agent's trend; see foundation/trend.ts. */
  trend: number
  block: number
}

/** How events changed a trader's figures. */
export interface TraderChange {
  readonly address: string
  trades: number
  volumeWei: bigint
  latestTime: number
}

/** All changes that a sequence of events made. */
export interface Tally {
  readonly pairs: readonly PairChange[]
  readonly subjects: readonly SubjectChange[]
  readonly traders: readonly TraderChange[]
}

const TRADE_WEIGHT = 2

/**
 * Adds up events, given in the order they happened. Every event states the supply and the balances after it, so a missing
 * event is noticed at the next event of the same agent or wallet.
 * @throws LostLogs
 */
export function tallyEvents(events: readonly ShareEvent[]): Tally {
  const pairs: PairChange[] = []
  const pairsOf = new Map<string, Map<string, PairChange>>()
  const subjects = new Map<string, SubjectChange>()
  const traders = new Map<string, TraderChange>()

  function subjectOf({ subject, block }: TradeEvent | TransferEvent): SubjectChange {
    let change = subjects.get(subject)
    if (!change) {
      change = {
        subject,
        before: undefined,
        after: undefined,
        trades: 0,
        volumeWei: 0n,
        trend: Number.NEGATIVE_INFINITY,
        block,
      }
      subjects.set(subject, change)
    }
    return change
  }

  function moveBalance(event: TradeEvent | TransferEvent, holder: string, delta: number, after: number): PairChange {
    const { subject, block } = event
    let ofSubject = pairsOf.get(subject)
    if (!ofSubject) {
      ofSubject = new Map()
      pairsOf.set(subject, ofSubject)
    }
    const earlier = ofSubject.get(holder)
    const before = after - delta
    if (!earlier) {
      const change = { subject, holder, before, after, bought: false, block }
      ofSubject.set(holder, change)
      pairs.push(change)
      return change
    }
    if (earlier.after !== before)
      throw new LostLogs(subject, block, `${holder} held ${earlier.after} shares of ${subject}, not ${before}`)
    earlier.after = after
    return earlier
  }

  function addTrade(event: TradeEvent): void {
    const delta = event.isBuy ? event.amount : -event.amount
    const change = subjectOf(event)
    const before = event.supply - delta
    if (change.after !== undefined && change.after !== before)
      throw new LostLogs(
        event.subject,
        event.block,
        `the supply of ${event.subject} was ${change.after}, not ${before}`,
      )
    change.before ??= before
    change.after = event.supply
    change.trades++
    change.volumeWei += event.priceWei
    change.trend = logAdd(change.trend, trendOf(new Date(event.time * 1000), TRADE_WEIGHT))
    const pair = moveBalance(event, event.trader, delta, event.balance)
    if (event.isBuy) pair.bought = true
    addTrader(event)
  }

  function addTrader({ trader, priceWei, time }: TradeEvent): void {
    const change = traders.get(trader)
    if (!change) {
      traders.set(trader, { address: trader, trades: 1, volumeWei: priceWei, latestTime: time })
      return
    }
    change.trades++
    change.volumeWei += priceWei
    change.latestTime = time
  }

  function addTransfer(event: TransferEvent): void {
    subjectOf(event)
    moveBalance(event, event.sender, -event.amount, event.senderBalance)
    moveBalance(event, event.receiver, event.amount, event.receiverBalance)
  }

  for (const event of events) {
    if (event.kind === 'trade') addTrade(event)
    else if (event.kind === 'transfer') addTransfer(event)
  }
  // In the order of an index, so that looking each up and storing it touches the same pages.
  pairs.sort((a, b) => compareText(a.holder, b.holder) || compareText(a.subject, b.subject))
  return {
    pairs,
    subjects: [...subjects.values()],
    traders: [...traders.values()].sort((a, b) => compareText(a.address, b.address)),
  }
}

function logAdd(a: number, b: number): number {
  if (a === Number.NEGATIVE_INFINITY) return b
  return Math.max(a, b) + Math.log2(1 + 2 ** -Math.abs(a - b))
}
