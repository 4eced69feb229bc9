import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.js'
import type { Config } from '../config.js'

/** Answers that many callers without a credential share for a moment, kept as the bytes that are sent. */
export interface SharedAnswers {
  /** The answer for a URL: the one at hand, the one being made for another caller, or a new one. */
  read(url: string, make: () => Promise<Buffer>): Promise<Buffer>
}

// A hundred tweets are some 80 kB, so that these stay below 40 MB.
const MOST = 500

interface Entry {
  readonly madeAt: number
  readonly bytes: Promise<Buffer>
}

export function createSharedAnswers({ config, clock }: { config: Config; clock: Clock }): SharedAnswers {
  const keptMs = config.SHARED_ANSWERS_MS
  const entries = new LRUCache<string, Entry>({ max: MOST })
  return {
    read(url, make) {
      if (keptMs === 0) return make()
      const now = clock.now().getTime()
      const known = entries.get(url)
      if (known && now - known.madeAt < keptMs) return known.bytes
      const entry = { madeAt: now, bytes: make() }
      entries.set(url, entry)
      entry.bytes.catch(() => entries.delete(url))
      return entry.bytes
    },
  }
}
