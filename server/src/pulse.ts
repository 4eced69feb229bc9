/**
 * Watches whether somebody who is asked answers at all. While there is no answer, callers are refused at once instead of
 * waiting for nothing; one goes through now and then, to see.
 */
export interface Pulse {
  ask<T>(work: () => Promise<T>): Promise<T>
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
// After that nobody knows, and the next to ask finds out.
const FORGET_AFTER_MS = 10_000

export function createPulse({ silentAfterMs, isSilence, refusal, now = () => performance.now() }: PulseOptions): Pulse {
  // When the first question was asked that nobody has answered since.
  let unansweredSince: number | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let failedAt = Number.POSITIVE_INFINITY

  function mayAsk(at: number): boolean {
    if (at - failedAt > FORGET_AFTER_MS) unansweredSince = undefined
    if (unansweredSince === undefined || at - unansweredSince < silentAfterMs) return true
    if (at - triedAt < TRY_EVERY_MS) return false
    triedAt = at
    return true
  }

  function answered(): void {
    unansweredSince = undefined
    failedAt = Number.POSITIVE_INFINITY
  }

  return {
    async ask(work) {
      const at = now()
      if (!mayAsk(at)) throw refusal()
      unansweredSince ??= at
      try {
        const answer = await work()
        answered()
        return answer
      } catch (error) {
        if (isSilence(error)) failedAt = now()
        else answered()
        throw error
      }
    },
  }
}
