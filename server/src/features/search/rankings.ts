import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import { describeRankedPage, type RankedRequest, readRankedRequest } from '../../foundation/db/ranked-page.js'
import type { Ranked } from './fuse.js'

const CACHE_MS = 2 * 60_000
const MAX_CACHED = 300

/** Ranks what was posted up to a time; undefined means now. */
export type Rank = (upTo: Date | undefined) => Promise<Ranked[]>

/** Ranks once and pages through the result, so that the next page continues where the last one ended. */
export interface Rankings {
  /** Reads a page of the ranking that `key` identifies; the same key must come with the same `rank`. */
  readPage(key: readonly unknown[], request: PageRequest, rank: Rank): Promise<Page<Ranked>>
}

interface CachedRanking {
  readonly at: number
  readonly ranking: readonly Ranked[]
}

export function createRankings({ clock }: { clock: Clock }): Rankings {
  const cache = new LRUCache<string, CachedRanking>({ max: MAX_CACHED, ttl: CACHE_MS })

  async function rankAndCache(hash: string, rank: Rank, upTo?: number): Promise<CachedRanking> {
    const at = upTo ?? clock.now().getTime()
    const entry = { at, ranking: await rank(upTo === undefined ? undefined : new Date(upTo)) }
    cache.set(hash, entry)
    return entry
  }

  async function find(hash: string, { page, at }: RankedRequest, rank: Rank): Promise<CachedRanking> {
    const cached = cache.get(hash)
    // If another instance made the previous page, or the entry has expired, ranks what was posted up to that time.
    if (at !== undefined) return cached?.at === at ? cached : rankAndCache(hash, rank, at)
    return page > 1 && cached ? cached : rankAndCache(hash, rank)
  }

  return {
    async readPage(key, wanted, rank) {
      const hash = createHash('sha256').update(JSON.stringify(key)).digest('base64url').slice(0, 22)
      const name = ['search', hash]
      const request = readRankedRequest(name, wanted)
      const { at, ranking } = await find(hash, request, rank)
      const next = request.offset + request.limit
      const meta = describeRankedPage(name, request, { at, total: ranking.length, next })
      return { rows: ranking.slice(request.offset, next), meta }
    },
  }
}
