import type { Clock } from '../src/base/clock.js'

/** A clock that moves only when it is told to, and by a millisecond each time it is read. */
export interface TestClock extends Clock {
  advance(ms: number): void
}

export function createTestClock(start = new Date('2026-06-01T12:00:00.000Z')): TestClock {
  let now = start.getTime()
  return {
    now: () => new Date(now++),
    advance(ms) {
      now += ms
    },
  }
}
