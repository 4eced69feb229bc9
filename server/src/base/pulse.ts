import { before } from './before.js'

/**
 * Watches whether somebody who is asked answers at all. While there is no answer, callers are refused at once instead of
 * waiting for nothing; one goes through now and then, to see.
 */
export interface Pulse {
  /** `long` may take its time: that it is not answered yet says nothing. */
  ask<T>(work: () => Promise<T>, patience?: 'long'): Promise<T>
}

export interface PulseOptions {
  /** So long after the first question that got no answer, nobody waits any more. */
  readonly silentAfterMs: number
  /** Whether a failure shows that there was no answer. Any other failure is an answer. */
  isSilence(error: unknown): boolean
  refusal(): Error
  /** Milliseconds of a clock that never jumps. */
  readonly now?: () => number
}

const TRY_EVERY_MS = 1_000
// Those that come together with the one that goes through wait so long for its answer.
const WITH_THE_TRY_MS = 250
// After that nobody knows, and the next to ask finds out.
const FORGET_AFTER_MS = 10_000

export function createPulse({ silentAfterMs, isSilence, refusal, now = () => performance.now() }: PulseOptions): Pulse {
  // When the first question was asked that nobody has answered since.
  let unansweredSince: number | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let tried: Promise<void> = Promise.resolve()
  let failedAt = Number.POSITIVE_INFINITY

  function isSilent(at: number): boolean {
    if (at - failedAt > FORGET_AFTER_MS) answered()
    return unansweredSince !== undefined && at - unansweredSince >= silentAfterMs
  }

  function answered(): void {
    unansweredSince = undefined
    failedAt = Number.POSITIVE_INFINITY
  }

  async function run<T>(work: () => Promise<T>, at: number, patience?: 'long'): Promise<T> {
    if (!patience) unansweredSince ??= at
    try {
      const answer = await work()
      answered()
      return answer
    } catch (error) {
      if (isSilence(error)) failedAt = now()
      else answered()
      throw error
    }
  }

  return {
    async ask(work, patience) {
      const at = now()
      if (!isSilent(at)) return run(work, at, patience)
      if (at - triedAt >= TRY_EVERY_MS) {
        triedAt = at
        const trying = run(work, at, patience)
        tried = trying.then(ignore, ignore)
        return trying
      }
      const left = triedAt + WITH_THE_TRY_MS - at
      if (left > 0) await before(tried, left, ignore)
      if (isSilent(now())) throw refusal()
      return run(work, now(), patience)
    },
  }
}

function ignore(): void {}
