import { type Clock, systemClock } from './clock.js'

/** A clock that is behind the real one and runs as fast. It only ever moves forward, and never past the real one. */
export interface LateClock extends Clock {
  /** How far it is behind; 0 once it is right, and from then on for ever. */
  readonly lateMs: number
  /** Moves it forward to a time; one that it has passed changes nothing. */
  moveTo(time: Date): void
  /** Moves it to the real time. */
  catchUp(): void
}

/** Creates a clock at which it is `start` now. */
export function createLateClock(start: Date, real: Clock = systemClock): LateClock {
  const behind = (time: Date) => Math.max(0, real.now().getTime() - time.getTime())
  let lateMs = behind(start)
  return {
    now: () => new Date(real.now().getTime() - lateMs),
    get lateMs() {
      return lateMs
    },
    moveTo(time) {
      lateMs = Math.min(lateMs, behind(time))
    },
    catchUp() {
      lateMs = 0
    },
  }
}
