import { V7Generator } from 'uuidv7'

/** Where time comes from. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Makes ids that sort by the time they were made. */
export interface Ids {
  next(): string
}

const MAX_CLOCK_ROLLBACK_MS = 10_000

export function createIds(clock: Clock): Ids {
  const generator = new V7Generator()
  return { next: () => generator.generateOrResetCore(clock.now().getTime(), MAX_CLOCK_ROLLBACK_MS).toString() }
}
