import type { Clock } from '../../base/clock.js'

/** Wraps a read so that it runs at most once per `keptMs`, also under parallel calls. Does not cache failures. */
export function cacheFor<T>(clock: Clock, keptMs: number, read: () => Promise<T>): () => Promise<T> {
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
