import { randomFillSync } from 'node:crypto'
import { V7Generator } from 'uuidv7'

/** Where time comes from. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** The day of a time, in UTC. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10)
}

/** Makes ids that sort by the time they were made. */
export interface Ids {
  next(): string
}

const MAX_CLOCK_ROLLBACK_MS = 10_000

/** Random numbers of the system, fetched many at a time: each fetch costs as much as making an id. */
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
