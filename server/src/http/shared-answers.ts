import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.js'
import type { Config } from '../config/config.js'
import { countCache } from '../foundation/cache-counts.js'

/** Caches answers, as the bytes to send, for a moment for callers without a credential. */
export interface SharedAnswers {
  /** The cached answer, at once. */
  findFresh(key: string): Buffer | undefined
  /** Returns the cached answer, the one being made for another caller, or a new one. */
  read(key: string, make: () => Promise<Buffer>): Promise<Buffer>
}

const MOST_BYTES = 40 * 1024 * 1024

interface Entry {
  readonly madeAt: number
  readonly bytes: Buffer
}

export function createSharedAnswers({ config, clock }: { config: Config; clock: Clock }): SharedAnswers {
  const keptMs = config.SHARED_ANSWERS_MS
  const entries = new LRUCache<string, Entry>({
    maxSize: MOST_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes.length + key.length,
  })
  const counted = countCache('answers', () => entries.size)
  const underway = new Map<string, Promise<Buffer>>()

  async function refresh(key: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const madeAt = clock.now().getTime()
    try {
      const bytes = await make()
      entries.set(key, { madeAt, bytes })
      return bytes
    } finally {
      underway.delete(key)
    }
  }

  const isYoung = ({ madeAt }: Entry) => clock.now().getTime() - madeAt < keptMs

  return {
    findFresh(key) {
      const entry = keptMs === 0 ? undefined : entries.get(key)
      if (!entry || !isYoung(entry)) return undefined
      counted.note(true)
      return entry.bytes
    },
    async read(key, make) {
      if (keptMs === 0) return make()
      const entry = entries.get(key)
      const isFresh = entry !== undefined && isYoung(entry)
      const shared = isFresh ? undefined : underway.get(key)
      counted.note(isFresh || shared !== undefined)
      if (isFresh) return entry.bytes
      const waiting = shared ?? refresh(key, make)
      underway.set(key, waiting)
      return waiting
    },
  }
}
