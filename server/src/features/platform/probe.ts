import { before } from '../../base/before.js'

/** The latest result of reading something that may not answer. */
export interface Reading<T> {
  /** Undefined when the read failed or did not answer in time. */
  readonly value: T | undefined
}

const WITHIN_MS = 800

interface ProbeOptions {
  readonly keptMs: number
  readonly withinMs?: number
  /** How long callers wait for the first answer, before which there is nothing to fall back on. Default: `withinMs`. */
  readonly firstWithinMs?: number
  /** The maximum age of an answer that is returned while the next one is late. Default: 0, which returns none. */
  readonly staleMs?: number
  onError?(error: Error): void
}

/**
 * Creates a function that reads at most once per `keptMs`, whatever the number of callers, and does not keep a caller
 * waiting for longer than `withinMs`. While a read gets no answer, no other read is started.
 */
export function createProbe<T>(read: () => Promise<T>, options: ProbeOptions): () => Promise<Reading<T>> {
  const { keptMs, withinMs = WITHIN_MS, firstWithinMs = withinMs, staleMs = 0, onError = () => {} } = options
  let latest: Reading<T> = { value: undefined }
  let freshUntil = Number.NEGATIVE_INFINITY
  let reading: Promise<Reading<T>> | undefined
  let answeredAt = Number.NEGATIVE_INFINITY

  async function start(): Promise<Reading<T>> {
    try {
      latest = { value: await read() }
      answeredAt = performance.now()
    } catch (error) {
      onError(error as Error)
      latest = { value: undefined }
    }
    // A failure is kept as long, so that a flood cannot ask what is down any more often than what is up.
    freshUntil = performance.now() + keptMs
    reading = undefined
    return latest
  }

  return () => {
    if (performance.now() < freshUntil) return Promise.resolve(latest)
    reading ??= start()
    const isRecent = performance.now() - answeredAt < staleMs
    const hasAnswered = answeredAt > Number.NEGATIVE_INFINITY
    return before(reading, hasAnswered ? withinMs : firstWithinMs, () => (isRecent ? latest : { value: undefined }))
  }
}
