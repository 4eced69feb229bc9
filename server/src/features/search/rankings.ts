import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../../base/clock.js'
import type { Page, PageRequest } from '../../foundation/db/paginate.js'
import {
  describeRankedPage,
  findRankedPosition,
  type RankedRequest,
  rankedCursor,
  readRankedRequest,
} from '../../foundation/db/ranked-page.js'
import type { Ranked } from './fuse.js'

const CACHE_MS = 2 * 60_000
const MAX_CACHED = 300

/** Ranks what was posted up to a time; undefined means now. */
export type Rank = (upTo: Date | undefined) => Promise<readonly Ranked[]>

/** Reads those of some tweets that are still listed for the caller, by id. */
export type ReadRows<Row> = (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>

/** Ranks once and pages through the result, so that the next page continues where the last one ended. */
export interface Rankings {
  /** Reads a page of the ranking that `key` identifies; the same key must come with the same `rank`. */
  readPage(key: readonly unknown[], request: PageRequest, rank: Rank): Promise<Page<Ranked>>
  /** The same with the rows. What `read` leaves out leaves the ranking too: what follows moves up, so that the page is full. */
  readListed<Row>(
    key: readonly unknown[],
    request: PageRequest,
    rank: Rank,
    read: ReadRows<Row>,
  ): Promise<Page<Ranked & { readonly row: Row }>>
  /** Opens the ranking as a part of a list that begins with other items. */
  open(key: readonly unknown[], request: PageRequest, rank: Rank): Promise<OpenRanking>
}

export interface OpenRanking {
  readonly total: number
  /** Whether the ranking may lack some. */
  readonly isCut: boolean
  /** Where the request continues; undefined unless its cursor is one of this ranking. */
  readonly offset: number | undefined
  read(offset: number, limit: number): readonly Ranked[]
  /** The cursor for the part from an offset on; null at the end. */
  cursorAt(offset: number): string | null
}

interface CachedRanking {
  readonly at: number
  readonly ranking: readonly Ranked[]
}

/** A ranking of `cutAt` places and more may lack some, because each source of candidates has a limit. */
export function createRankings({ clock, cutAt }: { clock: Clock; cutAt: number }): Rankings {
  const cache = new LRUCache<string, CachedRanking>({ max: MAX_CACHED, ttl: CACHE_MS })

  async function rankAndCache(hash: string, rank: Rank, upTo?: number): Promise<CachedRanking> {
    const at = upTo ?? clock.now().getTime()
    const entry = { at, ranking: await rank(upTo === undefined ? undefined : new Date(upTo)) }
    cache.set(hash, entry)
    return entry
  }

  async function find(
    hash: string,
    { page, at }: Pick<RankedRequest, 'page' | 'at'>,
    rank: Rank,
  ): Promise<CachedRanking> {
    const cached = cache.get(hash)
    // If another instance made the previous page, or the entry has expired, ranks what was posted up to that time.
    if (at !== undefined) return cached?.at === at ? cached : rankAndCache(hash, rank, at)
    return page > 1 && cached ? cached : rankAndCache(hash, rank)
  }

  return {
    async open(key, { page = 1, cursor }, rank) {
      const hash = hashOf(key)
      const name = ['search', hash]
      const position = cursor === undefined ? undefined : findRankedPosition(name, cursor)
      const isContinued = page > 1 || cursor !== undefined
      const { at, ranking } = await find(hash, { page: isContinued ? 2 : 1, at: position?.at }, rank)
      return {
        total: ranking.length,
        isCut: ranking.length >= cutAt,
        offset: position?.offset,
        read: (offset, limit) => ranking.slice(offset, offset + limit),
        cursorAt: (offset) => (offset < ranking.length ? rankedCursor(name, at, offset) : null),
      }
    },

    async readPage(key, wanted, rank) {
      const hash = hashOf(key)
      const name = ['search', hash]
      const request = readRankedRequest(name, wanted)
      const { at, ranking } = await find(hash, request, rank)
      const next = request.offset + request.limit
      const meta = describeRankedPage(name, request, { at, total: ranking.length, next, cutAt })
      return { rows: ranking.slice(request.offset, next), meta }
    },

    async readListed<Row>(key: readonly unknown[], wanted: PageRequest, rank: Rank, read: ReadRows<Row>) {
      const hash = hashOf(key)
      const name = ['search', hash]
      const request = readRankedRequest(name, wanted)
      const { offset, limit } = request
      const { at, ranking } = await find(hash, request, rank)
      const { listed, rows } = await readUntilFull(ranking, request, read)
      if (listed !== ranking) cache.set(hash, { at, ranking: listed })
      const meta = describeRankedPage(name, request, { at, total: listed.length, next: offset + limit, cutAt })
      return { rows, meta }
    },
  }
}

/** Reads a page of a ranking, and the places after it if some are gone. */
async function readUntilFull<Row>(
  ranking: readonly Ranked[],
  { offset, limit }: Pick<RankedRequest, 'offset' | 'limit'>,
  read: ReadRows<Row>,
) {
  const rows: (Ranked & { readonly row: Row })[] = []
  const gone = new Set<string>()
  let from = offset
  // Twice as many each time, so that few reads are enough for a ranking of which most is gone.
  for (let count = limit; rows.length < limit && from < ranking.length; from += count, count *= 2) {
    const places = ranking.slice(from, from + count)
    const found = await read(places.map(({ id }) => id))
    for (const place of places) {
      const row = found.get(place.id)
      if (row === undefined) gone.add(place.id)
      else rows.push({ ...place, row })
    }
  }
  const listed = gone.size === 0 ? ranking : ranking.filter(({ id }) => !gone.has(id))
  return { listed, rows: rows.slice(0, limit) }
}

function hashOf(key: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(key)).digest('base64url').slice(0, 22)
}
