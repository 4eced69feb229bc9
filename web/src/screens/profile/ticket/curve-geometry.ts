import { priceOf, quoteBuy, quoteSell, type TradeSide } from '@rookery/sdk'

/** A trade on the curve: how many shares exist, and how many are bought or sold. */
export interface CurveTrade {
  readonly supply: bigint
  readonly amount: bigint
  readonly side: TradeSide
}

/** A picture of the curve around a trade, in a box of `WIDTH` by `HEIGHT`. The areas are true: share by share, they add up to the money. */
export interface CurvePicture {
  /** The shares at the left and right edge. */
  readonly from: bigint
  readonly to: bigint
  readonly line: string
  /** What comes back, or is received: the price less one fee. */
  readonly kept: string
  /** What the fees take on the way. */
  readonly fees: string
  /** Where the market is now, and where the trade takes it. */
  readonly now: Point
  readonly after: Point
}

export interface Point {
  readonly x: number
  readonly y: number
}

export const WIDTH = 320
export const HEIGHT = 132
const MOST_STAIRS = 64n
const LEAST_AROUND = 8n
const SAMPLES = 48n
// Each way costs 10 % of the price.
const [KEPT, PRICE, PAID] = [90n, 100n, 110n] as const

/** Draws the curve with a trade on it; undefined where the contract allows no such trade. */
export function drawCurve({ supply, amount, side }: CurveTrade): CurvePicture | undefined {
  const first = side === 'buy' ? supply : supply - amount
  const end = first + amount
  if (first < 0n || amount < 0n || !isPossible(end)) return undefined
  const around = max(LEAST_AROUND, 2n * amount)
  // Close to the beginning, the beginning is in the picture.
  const from = first <= 2n * around ? 0n : first - around
  const to = isPossible(end + around) ? end + around : end
  const outer = side === 'buy' ? PAID : PRICE
  const highest = max(priceAt(to) * PRICE, priceAt(max(end - 1n, 0n)) * outer)
  const x = (share: bigint) => round(ratio(share - from, to - from) * WIDTH)
  const y = (price: bigint, percent: bigint) => round(HEIGHT - ratio(price * percent, highest) * HEIGHT)
  const isStairs = to - from <= MOST_STAIRS
  const edge = (left: bigint, right: bigint, percent: bigint): Point[] =>
    isStairs
      ? shares(left, right).flatMap((share) => {
          const level = y(priceAt(share), percent)
          return [
            { x: x(share), y: level },
            { x: x(share + 1n), y: level },
          ]
        })
      : samples(left, right).map((share) => ({ x: x(share), y: y(priceAt(share), percent) }))
  const area = (low: readonly Point[], high: readonly Point[]) =>
    low.length === 0 ? '' : `${path([...high, ...low.toReversed()])}Z`
  const floor = [
    { x: x(first), y: HEIGHT },
    { x: x(end), y: HEIGHT },
  ]
  const at = (share: bigint): Point => ({ x: x(share), y: y(priceAt(share), PRICE) })
  return {
    from,
    to,
    line: path(edge(from, to, PRICE)),
    kept: amount === 0n ? '' : area(floor, edge(first, end, KEPT)),
    fees: amount === 0n ? '' : area(edge(first, end, KEPT), edge(first, end, outer)),
    now: at(supply),
    after: at(side === 'buy' ? end : first),
  }
}

/** What a trade moves, and what the opposite trade would move right after it. */
export interface RoundTrip {
  /** Paid by a buyer, received by a seller. */
  readonly wei: bigint
  /** Received for the same shares at once, or paid to have them again. */
  readonly backWei: bigint
  /** What both trades lose to fees, of what is paid; in percent. */
  readonly lostPercent: number
}

export function roundTripOf({ supply, amount, side }: CurveTrade): RoundTrip | undefined {
  const first = side === 'buy' ? supply : supply - amount
  if (first < 0n || amount <= 0n || !isPossible(first + amount)) return undefined
  const bought = quoteBuy(first, amount).priceAfterFeeWei
  const sold = quoteSell(first + amount, amount).priceAfterFeeWei
  const lostPercent = bought === 0n ? 0 : round(ratio(bought - sold, bought) * 100)
  return side === 'buy' ? { wei: bought, backWei: sold, lostPercent } : { wei: sold, backWei: bought, lostPercent }
}

/** The price of the next share. */
const priceAt = (supply: bigint) => priceOf(supply, 1n)

function isPossible(supply: bigint): boolean {
  try {
    priceOf(supply, 1n)
    return true
  } catch {
    return false
  }
}

function shares(left: bigint, right: bigint): bigint[] {
  return Array.from({ length: Number(right - left) }, (_, step) => left + BigInt(step))
}

function samples(left: bigint, right: bigint): bigint[] {
  const steps = max(1n, min(SAMPLES, right - left))
  return Array.from({ length: Number(steps) + 1 }, (_, step) => left + ((right - left) * BigInt(step)) / steps)
}

const PRECISION = 1_000_000n

function ratio(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * PRECISION) / whole) / Number(PRECISION)
}

function path(points: readonly Point[]): string {
  return points.map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('')
}

const round = (value: number) => Math.round(value * 10) / 10
const max = (a: bigint, b: bigint) => (a > b ? a : b)
const min = (a: bigint, b: bigint) => (a < b ? a : b)
