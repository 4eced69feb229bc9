import { createHash } from 'node:crypto'
import { MAX_PAGE_DEPTH } from '@rookery/api'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
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

  async function find(key: string, page: number, after: Place | undefined, rank: Rank): Promise<Kept> {
    const known = kept.get(key)
    // Another instance may have made the page before, or it is long ago: then what was there at that time is ranked.
    if (after) return known?.at === after.at ? known : rankAnew(key, rank, after.at)
    return page > 1 && known ? known : rankAnew(key, rank)
  }

  return {
    async page(question, { page = 1, limit = 20, cursor }, rank) {
      if (page * limit > MAX_PAGE_DEPTH && cursor === undefined) throw new Problem('PAGE_TOO_DEEP')
      const key = createHash('sha256').update(JSON.stringify(question)).digest('base64url').slice(0, 22)
      const after = cursor === undefined ? undefined : readPlace(cursor, key)
      const { at, ranking } = await find(key, page, after, rank)
      const offset = after?.offset ?? (page - 1) * limit
      const next = offset + limit
      const nextCursor = next < ranking.length ? writePlace({ key, at, offset: next }) : null
      const meta = { page: after ? 1 : page, limit, total: ranking.length, nextCursor }
      return { rows: ranking.slice(offset, next), meta }
    },
  }
}

interface Place {
  readonly key: string
  readonly at: number
  readonly offset: number
}

function writePlace({ key, at, offset }: Place): string {
  return Buffer.from(JSON.stringify(['search', key, at, offset])).toString('base64url')
}

function readPlace(cursor: string, expected: string): Place {
  try {
    const [name, key, at, offset] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
    if (name !== 'search' || key !== expected || !isWhole(at) || !isWhole(offset)) throw new Error('not a cursor')
    return { key: expected, at, offset }
  } catch {
    throw Problem.at('cursor', 'must be meta.nextCursor of a page of this same search')
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 8_000_000_000_000_000
}
