import { MAX_PAGE_DEPTH } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import { badCursor, type PageMeta, type PageRequest, totalView } from './paginate.js'

/** The part of a ranking that a caller requests. */
export interface RankedRequest {
  readonly page: number
  readonly limit: number
  readonly offset: number
  /** When the ranking that the caller pages through was made, in milliseconds; undefined for the current one. */
  readonly at: number | undefined
}

/** Reads a request for a page of the named ranking: by number, or after a cursor. */
export function readRankedRequest(
  name: readonly string[],
  { page = 1, limit = 20, cursor }: PageRequest,
): RankedRequest {
  if (cursor !== undefined) {
    const position = findRankedPosition(name, cursor)
    if (!position) throw badCursor()
    return { page: 1, limit, ...position }
  }
  if (page * limit > MAX_PAGE_DEPTH) throw new Problem('PAGE_TOO_DEEP')
  return { page, limit, offset: (page - 1) * limit, at: undefined }
}

/**
 * The meta data of a page of the ranking made at `at`; the next page begins at `next`. A ranking of `cutAt` places and more
 * may lack some.
 */
export function describeRankedPage(
  name: readonly string[],
  { page, limit }: RankedRequest,
  {
    at,
    total,
    next,
    cutAt = Number.POSITIVE_INFINITY,
  }: { readonly at: number; readonly total: number; readonly next: number; readonly cutAt?: number },
): PageMeta {
  const nextCursor = next < total ? rankedCursor(name, at, next) : null
  return { page, limit, ...totalView(total, cutAt), nextCursor }
}

/** The cursor for the part of a ranking from an offset on. */
export function rankedCursor(name: readonly string[], at: number, offset: number): string {
  return Buffer.from(JSON.stringify([...name, at, offset])).toString('base64url')
}

/** The position that a cursor of the named ranking holds; undefined for any other cursor. */
export function findRankedPosition(
  name: readonly string[],
  cursor: string,
): { readonly at: number; readonly offset: number } | undefined {
  const parts = parse(cursor)
  const [at, offset] = Array.isArray(parts) ? parts.splice(name.length) : []
  if (JSON.stringify(parts) !== JSON.stringify(name) || !isWhole(at) || !isWhole(offset)) return undefined
  return { at, offset }
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 8_000_000_000_000_000
}
