import type { Clock } from '../src/base/clock.js'

/** A clock that moves by a millisecond on each read, and otherwise only on command. */
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
