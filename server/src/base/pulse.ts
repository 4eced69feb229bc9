import { before } from './before.js'

/**
 * A circuit breaker. While the other side gives no answer at all, callers are refused at once instead of waiting in vain;
 * now and then one call goes through to check.
 */
export interface Pulse {
  /** A `long` call may take its time: a missing answer says nothing about the other side. */
  run<T>(work: () => Promise<T>, patience?: 'long'): Promise<T>
}

export interface PulseOptions {
  /** Callers are refused once the first unanswered call is this old. */
  readonly silentAfterMs: number
  /** Whether a failure shows that there was no answer. Any other failure is an answer. */
  isSilence(error: unknown): boolean
  refusal(): Error
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

const TRY_EVERY_MS = 1_000
// Calls that arrive together with the trial call wait this long for its answer.
const WITH_THE_TRY_MS = 250
// After this long without a call, the last failure no longer says anything.
const FORGET_AFTER_MS = 10_000

export function createPulse({ silentAfterMs, isSilence, refusal, now = () => performance.now() }: PulseOptions): Pulse {
  // When the first call started that has had no answer since.
  let unansweredSince: number | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let tried: Promise<void> = Promise.resolve()
  let failedAt = Number.POSITIVE_INFINITY

  function isSilent(at: number): boolean {
    if (at - failedAt > FORGET_AFTER_MS) markAnswered()
    return unansweredSince !== undefined && at - unansweredSince >= silentAfterMs
  }

  function markAnswered(): void {
    unansweredSince = undefined
    failedAt = Number.POSITIVE_INFINITY
  }

  async function attempt<T>(work: () => Promise<T>, at: number, patience?: 'long'): Promise<T> {
    if (!patience) unansweredSince ??= at
    try {
      const answer = await work()
      markAnswered()
      return answer
    } catch (error) {
      if (isSilence(error)) failedAt = now()
      else markAnswered()
      throw error
    }
  }

  return {
    async run(work, patience) {
      const at = now()
      if (!isSilent(at)) return attempt(work, at, patience)
      if (at - triedAt >= TRY_EVERY_MS) {
        triedAt = at
        const trying = attempt(work, at, patience)
        tried = trying.then(ignore, ignore)
        return trying
      }
      const left = triedAt + WITH_THE_TRY_MS - at
      if (left > 0) await before(tried, left, ignore)
      if (isSilent(now())) throw refusal()
      return attempt(work, now(), patience)
    },
  }
}

function ignore(): void {}
