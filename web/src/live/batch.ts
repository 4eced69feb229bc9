import type { LiveEvent } from '@rookery/sdk'

export type BatchListener = (events: readonly LiveEvent[]) => void

/**
 * Collects events for all listeners and delivers them together: the first at once, and during a rush no more often than
 * every `gapMs`, so that fifty events a second cause a few renderings instead of fifty. `together` runs a delivery as one change.
 */
export function createBatches({ gapMs, together }: { gapMs: number; together: (deliver: () => void) => void }) {
  let waiting = new Map<BatchListener, LiveEvent[]>()
  let isPlanned = false
  let deliveredAt = Number.NEGATIVE_INFINITY

  function deliver(): void {
    const batches = waiting
    waiting = new Map()
    isPlanned = false
    deliveredAt = Date.now()
    together(() => {
      for (const [listener, events] of batches) {
        try {
          listener(events)
        } catch (error) {
          // The others still get theirs.
          reportError(error)
        }
      }
    })
  }

  return {
    add(listener: BatchListener, event: LiveEvent): void {
      const events = waiting.get(listener)
      if (events) events.push(event)
      else waiting.set(listener, [event])
      if (isPlanned) return
      isPlanned = true
      setTimeout(deliver, Math.max(0, deliveredAt + gapMs - Date.now()))
    },
    /** Forgets what waits for a listener that has gone. */
    drop(listener: BatchListener): void {
      waiting.delete(listener)
    },
  }
}
