import type { Candle, ChartInterval } from '@rookery/sdk'

/** One bar of the chart. Floating-point numbers are fine for drawing; amounts of money are never computed from them. */
export interface Bar {
  /** Unix seconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  readonly volume: number
}

/** Seconds of one step. */
export const steps: Readonly<Record<ChartInterval, number>> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '4h': 14_400,
  '1d': 86_400,
  '1w': 604_800,
}

const MOST_BARS = 1000

/**
 * The newest bars up to now, one for each step, so that equal times are equally wide. Times without trades have level
 * bars; what is older than the newest thousand is left out.
 */
export function barsOf(candles: readonly Candle[], interval: ChartInterval, now: Date): Bar[] {
  const step = steps[interval]
  const traded = new Map(candles.map((candle) => [timeOf(candle), candle]))
  const times = [...traded.keys()]
  const oldest = times[0]
  const newest = times.at(-1)
  if (oldest === undefined || newest === undefined) return []
  const quietSteps = Math.max(0, Math.ceil((now.getTime() / 1000 - newest) / step) - 1)
  const last = newest + quietSteps * step
  const first = Math.max(oldest, last - (MOST_BARS - 1) * step)
  const before = candles.findLast((candle) => timeOf(candle) < first)
  let price = Number(before?.closeBNB ?? 0)
  const bars: Bar[] = []
  for (let time = first; time <= last; time += step) {
    const candle = traded.get(time)
    const bar = candle ? barOf(candle) : level(time, price)
    price = bar.close
    bars.push(bar)
  }
  return bars
}

function timeOf({ startAt }: Candle): number {
  return new Date(startAt).getTime() / 1000
}

function barOf(candle: Candle): Bar {
  const { openBNB, highBNB, lowBNB, closeBNB, volumeBNB } = candle
  return {
    time: timeOf(candle),
    open: Number(openBNB),
    high: Number(highBNB),
    low: Number(lowBNB),
    close: Number(closeBNB),
    volume: Number(volumeBNB),
  }
}

function level(time: number, price: number): Bar {
  return { time, open: price, high: price, low: price, close: price, volume: 0 }
}

/** Bars with the price before the first trade in front, so that a line shows the first step too. */
export function withStart(bars: readonly Bar[], interval: ChartInterval): Bar[] {
  const [first] = bars
  return first ? [level(first.time - steps[interval], first.open), ...bars] : []
}
