import { randomFillSync } from 'node:crypto'
import { V7Generator } from 'uuidv7'

export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** The day of a time, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** How many whole seconds are left until `time`, for a caller that is told to wait: one at least. */
export function secondsUntil(time: Date, clock: Clock): number {
  return Math.max(1, Math.ceil((time.getTime() - clock.now().getTime()) / 1000))
}

/** Makes ids that sort by their creation time. */
export interface Ids {
  next(): string
}

const MAX_CLOCK_ROLLBACK_MS = 10_000

/** The system's random numbers, fetched in bulk: one fetch costs as much as making an id. */
function randomNumbers(): { nextUint32(): number } {
  const numbers = new Uint32Array(1024)
  let next = numbers.length
  return {
    nextUint32() {
      if (next === numbers.length) {
        randomFillSync(numbers)
        next = 0
      }
      return numbers[next++] ?? 0
    },
  }
}

export function createIds(clock: Clock): Ids {
  const generator = new V7Generator(randomNumbers())
  return { next: () => generator.generateOrResetCore(clock.now().getTime(), MAX_CLOCK_ROLLBACK_MS).toString() }
}
