import { before } from '../../base/before.js'

/** What is known about something that may not answer. */
export interface Known<T> {
  /** Undefined while there is none: it failed, or does not answer in time. */
  readonly value: T | undefined
}

// Who is back is soon known to be.
const FAILURE_KEPT_MS = 500
const WITHIN_MS = 800

interface KnownOptions {
  readonly keptMs: number
  readonly withinMs?: number
  /** How old an answer may be that is given while the next is waited for. Default: none is. */
  readonly staleMs?: number
  onError?(error: Error): void
}

/**
 * Asks at most once in a while, however many want to know, and never lets anybody wait long. A question that gets no
 * answer stays the only one until it ends.
 */
export function createKnown<T>(read: () => Promise<T>, options: KnownOptions): () => Promise<Known<T>> {
  const { keptMs, withinMs = WITHIN_MS, staleMs = 0, onError = () => {} } = options
  let latest: Known<T> = { value: undefined }
  let goodUntil = Number.NEGATIVE_INFINITY
  let asking: Promise<Known<T>> | undefined
  let answeredAt = Number.NEGATIVE_INFINITY

  async function ask(): Promise<Known<T>> {
    try {
      latest = { value: await read() }
      answeredAt = performance.now()
      goodUntil = performance.now() + keptMs
    } catch (error) {
      onError(error as Error)
      latest = { value: undefined }
      goodUntil = performance.now() + Math.min(keptMs, FAILURE_KEPT_MS)
    }
    asking = undefined
    return latest
  }

  return () => {
    if (performance.now() < goodUntil) return Promise.resolve(latest)
    asking ??= ask()
    const isGood = performance.now() - answeredAt < staleMs
    return before(asking, withinMs, () => (isGood ? latest : { value: undefined }))
  }
}
