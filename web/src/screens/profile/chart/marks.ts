import type { Candle, ChartInterval, Tweet } from '@rookery/sdk'
import { type Bar, steps } from './bars.js'

/** A post to mark on the chart. */
export type MarkedPost = Pick<Tweet, 'id' | 'content' | 'createdAt' | 'visibility'>

/** Posts in the same interval, and the time of its bar. */
export interface Mark {
  readonly time: number
  readonly posts: readonly MarkedPost[]
}

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const MOST_CANDLES = 1000

/** What can be marked of a list: posts that the reader can read, without reposts of others. */
export function markable(tweets: readonly Tweet[]): MarkedPost[] {
  return tweets.filter(({ type, locked, labels }) => type === 'POST' && !locked && labels.length === 0)
}

/** Posts by the bars in whose time they were written, oldest first. Those before the first bar are left out. */
export function marksOf(posts: readonly MarkedPost[], bars: readonly Bar[], interval: ChartInterval): Mark[] {
  const first = bars[0]
  const last = bars.at(-1)
  if (!first || !last) return []
  const byTime = new Map<number, MarkedPost[]>()
  for (const post of posts.toSorted((a, b) => a.createdAt.localeCompare(b.createdAt))) {
    const at = new Date(post.createdAt).getTime() / 1000
    if (at < first.time || at >= last.time + steps[interval]) continue
    const bar = bars.findLast(({ time }) => time <= at) ?? first
    byTime.set(bar.time, [...(byTime.get(bar.time) ?? []), post])
  }
  return [...byTime].map(([time, posts]) => ({ time, posts })).sort((a, b) => a.time - b.time)
}

/** Joins marks that would overlap on the screen, given where each is drawn. Marks outside of the picture are left out. */
export function joinNear(
  marks: readonly Mark[],
  xOf: (time: number) => number | null,
  least: number,
): { readonly x: number; readonly posts: readonly MarkedPost[] }[] {
  const joined: { x: number; posts: MarkedPost[] }[] = []
  for (const { time, posts } of marks) {
    const x = xOf(time)
    if (x === null) continue
    const before = joined.at(-1)
    if (before && x - before.x < least) before.posts.push(...posts)
    else joined.push({ x, posts: [...posts] })
  }
  return joined
}

/**
 * How much the price moved in the hour after a moment, in percent, by candles of a minute; null where that is not known.
 * `isOver` is false while the hour runs.
 */
export function moveAfter(
  candles: readonly Candle[],
  at: string,
  now: Date,
): { readonly percent: number | null; readonly isOver: boolean } {
  const from = new Date(at).getTime()
  const until = from + HOUR_MS
  const isOver = now.getTime() >= until
  // What happens in the minute of the moment counts as after it: agents answer within seconds.
  const before = candles.findLast(({ startAt }) => new Date(startAt).getTime() < from - (from % MINUTE_MS))
  const after = candles.findLast(({ startAt }) => new Date(startAt).getTime() < until)
  const isCut = candles.length >= MOST_CANDLES && !before
  const price = before?.closeBNB ?? (isCut ? undefined : candles[0]?.openBNB)
  if (price === undefined || Number(price) === 0 || !after) return { percent: null, isOver }
  return { percent: (Number(after.closeBNB) / Number(price) - 1) * 100, isOver }
}
