import type { Clock } from '../../base/clock.js'
import type { JobKind } from './queue.js'

// How often it looks whether another process has enqueued something.
const LOOK_EVERY_MS = 1_000
const LOOK_AGAIN_AFTER_OUTAGE_MS = 1_000
// However often lanes fall asleep: their jobs may be in the hands of others, who finish one after the other.
const LOOK_AT_MOST_EVERY_MS = 20
// A timer cannot be set for more than 24 days.
const LONGEST_MS = 24 * 60 * 60_000

interface AlarmOptions {
  readonly clock: Clock
  /** No other process enqueues, so that there is nothing to see before a job falls due. */
  readonly isAlone: boolean
  /** When the next job of each kind can be taken that a sleeping lane is for. */
  listNext(): Promise<{ readonly kind: JobKind; readonly at: number }[]>
  wake(kind: JobKind): void
}

/** Wakes sleeping lanes when a job falls due: one timer for all of them. */
export interface Alarm {
  /** A lane fell asleep: finds out when it has to be woken. */
  setAnew(): void
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
    const wait = await wakeWhatIsDue().catch(() => LOOK_AGAIN_AFTER_OUTAGE_MS)
    isLooking = false
    if (isStale) setAnew()
    else set(wait)
  }

  /** Returns how long the others can sleep. */
  async function wakeWhatIsDue(): Promise<number> {
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

  function setAnew(): void {
    if (isLooking) isStale = true
    else set(Math.max(lookedAt + LOOK_AT_MOST_EVERY_MS - performance.now(), 0))
  }

  return {
    setAnew,
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
