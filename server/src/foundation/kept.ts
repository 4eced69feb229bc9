import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.js'
import type { Config } from '../config/config.js'
import { countCache } from './cache-counts.js'

/** Keeps what is the same for all callers for as long as lists that are answered without a credential are kept. */
export interface Kept<Value> {
  find(key: string): Value | undefined
  /** Returns the value that is being made for another caller, or a new one, which is kept. */
  renew(key: string, make: () => Promise<Value>): Promise<Value>
}

interface KeptOptions<Value> {
  /** Its name in the metrics. */
  readonly name: string
  /** The largest sum of sizes. */
  readonly most: number
  sizeOf(value: Value): number
}

export function createKept<Value>(
  { config, clock }: { readonly config: Config; readonly clock: Clock },
  { name, most, sizeOf }: KeptOptions<Value>,
): Kept<Value> {
  const keptMs = config.SHARED_ANSWERS_MS
  const entries = new LRUCache<string, { readonly madeAt: number; readonly value: Value }>({
    maxSize: most,
    sizeCalculation: ({ value }) => sizeOf(value) + 1,
  })
  const counted = countCache(name, () => entries.size)
  const underway = new Map<string, Promise<Value>>()

  async function keep(key: string, make: () => Promise<Value>): Promise<Value> {
    const madeAt = clock.now().getTime()
    try {
      const value = await make()
      entries.set(key, { madeAt, value })
      return value
    } finally {
      underway.delete(key)
    }
  }

  return {
    find(key) {
      const entry = entries.get(key)
      const isFresh = entry !== undefined && clock.now().getTime() - entry.madeAt < keptMs
      counted.note(isFresh)
      return isFresh ? entry.value : undefined
    },
    renew(key, make) {
      if (keptMs === 0) return make()
      const waiting = underway.get(key) ?? keep(key, make)
      underway.set(key, waiting)
      return waiting
    },
  }
}
