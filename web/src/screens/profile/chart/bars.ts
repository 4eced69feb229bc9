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
 * The candles as bars up to now, with level bars for times without trades. If that
 * would take too many bars, the quiet time is skipped.
 */
export function barsOf(candles: readonly Candle[], interval: ChartInterval, now: Date): Bar[] {
  const step = steps[interval]
  const bars: Bar[] = []
  const fill = (until: number) => {
    const last = bars.at(-1)
    if (!last || bars.length + (until - last.time) / step > MOST_BARS) return
    for (let time = last.time + step; time < until; time += step) bars.push(level(time, last.close))
  }
  for (const candle of candles) {
    const bar = barOf(candle)
    fill(bar.time)
    bars.push(bar)
  }
  fill(now.getTime() / 1000)
  return bars
}

function barOf({ startAt, openBNB, highBNB, lowBNB, closeBNB, volumeBNB }: Candle): Bar {
  return {
    time: new Date(startAt).getTime() / 1000,
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
