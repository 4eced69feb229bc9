import { startThread } from '../../base/thread.js'
import type { Network, StoredMap } from './make-map.js'

/** What the thread is given. */
export interface MapTask {
  readonly network: Network
  readonly earlier: StoredMap | undefined
}

/** A map, and how long the thread worked on it. */
export interface DrawnMap {
  readonly map: StoredMap
  readonly workMs: number
}

const TIMEOUT_MS = 10 * 60_000
const MAX_HEAP_MB = 1_024

/** Draws a map in a thread of its own, because that takes up to a minute. `signal` ends it early. */
export async function makeMapAside(task: MapTask, signal: AbortSignal): Promise<DrawnMap> {
  const thread = startThread('./map-thread.js', import.meta.url, task, { maxOldGenerationSizeMb: MAX_HEAP_MB })
  try {
    return await new Promise<DrawnMap>((resolve, reject) => {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)])
      limit.addEventListener('abort', () => reject(new Error('The map took too long, or the service is stopping')))
      thread.once('message', resolve)
      thread.once('error', reject)
      thread.once('exit', () => reject(new Error('The thread that draws the map ended early')))
    })
  } finally {
    await thread.terminate()
  }
}
