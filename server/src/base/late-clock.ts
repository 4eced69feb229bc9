import { type Clock, systemClock } from './clock.js'

/** A clock that is behind the real one and runs as fast. It only ever moves forward, and never past the real one. */
export interface LateClock extends Clock {
  /** How far it is behind; 0 once it is right, and from then on for ever. */
  readonly lateMs: number
  /** Since when it is right; undefined until then. */
  readonly rightSince: Date | undefined
  /** Moves it forward to a time; one that it has passed changes nothing. */
  moveTo(time: Date): void
  /** Moves it to the real time. */
  catchUp(): void
}

/** Creates a clock at which it is `start` now. */
export function createLateClock(start: Date, real: Clock = systemClock): LateClock {
  const behind = (time: Date) => Math.max(0, real.now().getTime() - time.getTime())
  let lateMs = Number.POSITIVE_INFINITY
  let rightSince: Date | undefined
  function lessen(ms: number): void {
    lateMs = Math.min(lateMs, ms)
    if (lateMs === 0) rightSince ??= real.now()
  }
  lessen(behind(start))
  return {
    now: () => new Date(real.now().getTime() - lateMs),
    get lateMs() {
      return lateMs
    },
    get rightSince() {
      return rightSince
    },
    moveTo: (time) => lessen(behind(time)),
    catchUp: () => lessen(0),
  }
}
