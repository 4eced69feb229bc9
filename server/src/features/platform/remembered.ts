import type { Clock } from '../../base/clock.js'

/** Reads something at most once in a while, however many ask for it at the same time. A failure is not kept. */
export function remembered<T>(clock: Clock, keptMs: number, read: () => Promise<T>): () => Promise<T> {
  let value: Promise<T> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  return () => {
    const now = clock.now().getTime()
    if (!value || now - readAt >= keptMs) {
      readAt = now
      value = read()
      value.catch(() => {
        value = undefined
      })
    }
    return value
  }
}
