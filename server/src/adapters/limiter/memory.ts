import type { Clock } from '../../base/clock.js'
import type { Limiter } from './limiter.js'

const SWEEP_AFTER = 10_000

interface Window {
  count: number
  readonly endsAt: number
}

/** Counts in this process. */
export function createMemoryLimiter(clock: Clock): Limiter {
  const windows = new Map<string, Window>()
  let sweepAt = SWEEP_AFTER

  function sweep(now: number): void {
    for (const [bucket, window] of windows) if (window.endsAt <= now) windows.delete(bucket)
    sweepAt = windows.size + SWEEP_AFTER
  }

  function open(bucket: string, windowMs: number, now: number): Window {
    const existing = windows.get(bucket)
    if (existing && existing.endsAt > now) return existing
    if (windows.size >= sweepAt) sweep(now)
    const opened = { count: 0, endsAt: now + windowMs }
    windows.set(bucket, opened)
    return opened
  }

  function left(bucket: string, limit: number): number {
    const window = windows.get(bucket)
    return window && window.endsAt > clock.now().getTime() ? limit - window.count : limit
  }

  return {
    take(bucket, { limit, windowMs }, ceiling) {
      const now = clock.now().getTime()
      const own = open(bucket, windowMs, now)
      const wide = ceiling && open(ceiling.bucket, windowMs, now)
      const isFull = ceiling !== undefined && wide !== undefined && wide.count >= ceiling.limit
      const allowed = own.count < limit && !isFull
      if (allowed) {
        own.count++
        if (wide) wide.count++
      }
      const ownLeft = limit - own.count
      const wideLeft = ceiling && wide ? ceiling.limit - wide.count : ownLeft
      const narrow = wide && wideLeft < ownLeft ? wide : own
      return { allowed, remaining: Math.min(ownLeft, wideLeft), resetAt: new Date(narrow.endsAt) }
    },
    async remaining(bucket, { limit }, ceiling) {
      const own = left(bucket, limit)
      return ceiling ? Math.min(own, left(ceiling.bucket, ceiling.limit)) : own
    },
    isAway: async () => false,
    close: async () => {},
  }
}
