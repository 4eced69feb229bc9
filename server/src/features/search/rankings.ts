import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import { describeRankedPage, type RankedRequest, readRankedRequest } from '../../foundation/db/ranked-page.js'
import type { Ranked } from './fuse.js'

const KEPT_MS = 2 * 60_000
const MOST_KEPT = 300

/** Ranks again what was posted up to a moment. */
export type Rank = (upTo: Date | undefined) => Promise<Ranked[]>

/** Ranks once and pages through the result, so that the next page goes on where the last one ended. */
export interface Rankings {
  /** A page of the ranking that `question` names; the same question must have the same `rank`. */
  page(question: readonly unknown[], request: PageRequest, rank: Rank): Promise<Page<Ranked>>
}

interface Kept {
  readonly at: number
  readonly ranking: readonly Ranked[]
}

export function createRankings({ clock }: { clock: Clock }): Rankings {
  const kept = new LRUCache<string, Kept>({ max: MOST_KEPT, ttl: KEPT_MS })

  async function rankAnew(key: string, rank: Rank, upTo?: number): Promise<Kept> {
    const at = upTo ?? clock.now().getTime()
    const made = { at, ranking: await rank(upTo === undefined ? undefined : new Date(upTo)) }
    kept.set(key, made)
    return made
  }

  async function find(key: string, { page, at }: RankedRequest, rank: Rank): Promise<Kept> {
    const known = kept.get(key)
    // Another instance may have made the page before, or it is long ago: then what was there at that time is ranked.
    if (at !== undefined) return known?.at === at ? known : rankAnew(key, rank, at)
    return page > 1 && known ? known : rankAnew(key, rank)
  }

  return {
    async page(question, wanted, rank) {
      const key = createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 22)
      const name = ['search', key]
      const request = readRankedRequest(name, wanted)
      const { at, ranking } = await find(key, request, rank)
      const next = request.offset + request.limit
      const meta = describeRankedPage(name, request, { at, total: ranking.length, next })
      return { rows: ranking.slice(request.offset, next), meta }
    },
  }
}
