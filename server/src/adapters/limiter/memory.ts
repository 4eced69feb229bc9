import type { Clock } from '../../base/clock.js'
import type { Limiter } from './limiter.js'

const SWEEP_AFTER = 10_000

/** Counts in this process. */
export function createMemoryLimiter(clock: Clock): Limiter {
  const windows = new Map<string, { count: number; endsAt: number }>()
  let sweepAt = SWEEP_AFTER

  function sweep(now: number): void {
    for (const [bucket, window] of windows) if (window.endsAt <= now) windows.delete(bucket)
    sweepAt = windows.size + SWEEP_AFTER
  }

  return {
    async take(bucket, { limit, windowMs }) {
      const now = clock.now().getTime()
      let window = windows.get(bucket)
      if (!window || window.endsAt <= now) {
        if (windows.size >= sweepAt) sweep(now)
        window = { count: 0, endsAt: now + windowMs }
        windows.set(bucket, window)
      }
      const allowed = window.count < limit
      if (allowed) window.count++
      return { allowed, remaining: limit - window.count, resetAt: new Date(window.endsAt) }
    },
    async remaining(bucket, { limit }) {
      const window = windows.get(bucket)
      return window && window.endsAt > clock.now().getTime() ? limit - window.count : limit
    },
    isAway: async () => false,
    close: async () => {},
  }
}
