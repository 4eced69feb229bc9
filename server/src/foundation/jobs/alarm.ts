import type { Clock } from '../../base/clock.js'
import type { JobKind } from './queue.js'

// How often to check whether another process has enqueued something.
const LOOK_EVERY_MS = 1_000
const LOOK_AGAIN_AFTER_OUTAGE_MS = 1_000
// However often lanes fall asleep: other workers may hold the due jobs and finish them one after another.
const LOOK_AT_MOST_EVERY_MS = 20
// A timer cannot be set for more than 24 days.
const LONGEST_MS = 24 * 60 * 60_000

interface AlarmOptions {
  readonly clock: Clock
  /** No other process enqueues, so there is nothing to check for before a job falls due. */
  readonly isAlone: boolean
  /** For each kind that a sleeping lane works on: when its next job can be taken. */
  listNext(): Promise<{ readonly kind: JobKind; readonly at: number }[]>
  wake(kind: JobKind): void
}

/** Wakes sleeping lanes when a job falls due: one timer for all of them. */
export interface Alarm {
  /** Call when a lane falls asleep: works out when to wake it. */
  reset(): void
  stop(): void
}

export function createAlarm({ clock, isAlone, listNext, wake }: AlarmOptions): Alarm {
  let timer: NodeJS.Timeout | undefined
  let isLooking = false
  let isStale = false
  let isStopped = false
  let lookedAt = Number.NEGATIVE_INFINITY

  async function look(): Promise<void> {
    isLooking = true
    isStale = false
    lookedAt = performance.now()
    const wait = await wakeDueLanes().catch(() => LOOK_AGAIN_AFTER_OUTAGE_MS)
    isLooking = false
    if (isStale) reset()
    else set(wait)
  }

  /** Returns how long the other lanes can sleep. */
  async function wakeDueLanes(): Promise<number> {
    const jobs = await listNext()
    const now = clock.now().getTime()
    let wait = isAlone ? Number.POSITIVE_INFINITY : LOOK_EVERY_MS
    for (const { kind, at } of jobs) {
      if (at <= now) wake(kind)
      else wait = Math.min(wait, at - now)
    }
    return wait
  }

  function set(ms: number): void {
    clearTimeout(timer)
    if (!isStopped && ms < Number.POSITIVE_INFINITY) timer = setTimeout(() => void look(), Math.min(ms, LONGEST_MS))
  }

  function reset(): void {
    if (isLooking) isStale = true
    else set(Math.max(lookedAt + LOOK_AT_MOST_EVERY_MS - performance.now(), 0))
  }

  return {
    reset,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
