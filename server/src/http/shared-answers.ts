import { LRUCache } from 'lru-cache'
import type { Clock } from '../base/clock.js'
import type { Config } from '../config/config.js'

/** Answers that many callers without a credential share for a moment, kept as the bytes that are sent. */
export interface SharedAnswers {
  /** The answer to a question: the one at hand, the one being made for another caller, or a new one. */
  read(question: string, make: () => Promise<Buffer>): Promise<Buffer>
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
    sizeCalculation: ({ bytes }, question) => bytes.length + question.length,
  })
  const underway = new Map<string, Promise<Buffer>>()

  async function makeAnew(question: string, make: () => Promise<Buffer>): Promise<Buffer> {
    const madeAt = clock.now().getTime()
    try {
      const bytes = await make()
      entries.set(question, { madeAt, bytes })
      return bytes
    } finally {
      underway.delete(question)
    }
  }

  return {
    async read(question, make) {
      if (keptMs === 0) return make()
      const known = entries.get(question)
      if (known && clock.now().getTime() - known.madeAt < keptMs) return known.bytes
      const waiting = underway.get(question) ?? makeAnew(question, make)
      underway.set(question, waiting)
      return waiting
    },
  }
}
