import type { ChartInterval } from '@rookery/sdk'
import { type Bar, steps } from './bars.js'

/** How prices are drawn. A line has steps, because a price moves only when somebody trades. */
export type ChartKind = 'candles' | 'line'

const MOST_STEPS = 300
const LEAST_CANDLES = 12

/** The finest interval that shows a market of this age in a few hundred steps. */
export function chooseInterval(launchedAt: string | null, now: Date): ChartInterval {
  const seconds = launchedAt === null ? 0 : (now.getTime() - new Date(launchedAt).getTime()) / 1000
  const names = Object.keys(steps) as ChartInterval[]
  return names.find((name) => seconds / steps[name] <= MOST_STEPS) ?? '1w'
}

/** Candles need enough intervals with trades; fewer are easier to read as a line. */
export function chooseKind(tradedIntervals: number): ChartKind {
  return tradedIntervals < LEAST_CANDLES ? 'line' : 'candles'
}

/** The prices between which a chart is drawn: from zero, unless that would press everything against the top. */
export function priceRangeOf(bars: readonly Bar[]): { readonly low: number; readonly high: number } {
  const low = Math.min(...bars.map((bar) => bar.low))
  const high = Math.max(...bars.map((bar) => bar.high))
  if (low < high / 2 || low === high) return { low: 0, high: high === 0 ? 1 : high }
  return { low, high }
}
