import type { ChartInterval } from '@rookery/sdk'
import type { Bar } from './bars.js'

// Days and weeks begin at midnight UTC: as local times they would have the wrong date.
const DATED: ReadonlySet<ChartInterval> = new Set(['1d', '1w'])

/** Whether an interval is told by its date alone. */
export function isDated(interval: ChartInterval): boolean {
  return DATED.has(interval)
}

/** The seconds by which a moment differs from UTC where the reader is. */
export function offsetAt(time: number): number {
  return -new Date(time * 1000).getTimezoneOffset() * 60
}

/**
 * The time of a bar as the chart counts it. The library knows only UTC and puts days where they begin there, so local
 * times are given to it as if they were UTC.
 */
export function chartTimeOf(time: number, interval: ChartInterval, offset = offsetAt): number {
  return isDated(interval) ? time : time + offset(time)
}

/** Bars with local times. Where an hour comes twice, when summer time ends, its bars are joined. */
export function localBars(bars: readonly Bar[], interval: ChartInterval, offset = offsetAt): Bar[] {
  const joined = new Map<number, Bar>()
  for (const bar of bars) {
    const time = chartTimeOf(bar.time, interval, offset)
    const before = joined.get(time)
    joined.set(time, before ? join(before, bar) : { ...bar, time })
  }
  return [...joined.values()].sort((a, b) => a.time - b.time)
}

function join(before: Bar, bar: Bar): Bar {
  return {
    ...before,
    high: Math.max(before.high, bar.high),
    low: Math.min(before.low, bar.low),
    close: bar.close,
    volume: before.volume + bar.volume,
  }
}

let moment: Intl.DateTimeFormat | undefined
let day: Intl.DateTimeFormat | undefined

/** The start of a bar in words: a date, with the local time where the interval is shorter than a day. */
export function formatStart(time: number, interval: ChartInterval): string {
  const at = new Date(time * 1000)
  if (isDated(interval)) {
    day ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
    return day.format(at)
  }
  moment ??= new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
  return moment.format(at)
}
