import { MAX_PAGE_DEPTH } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import { badCursor, type Page, type PageRequest } from './paginate.js'

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
  if (cursor !== undefined) return { page: 1, limit, ...readCursor(name, cursor) }
  if (page * limit > MAX_PAGE_DEPTH) throw new Problem('PAGE_TOO_DEEP')
  return { page, limit, offset: (page - 1) * limit, at: undefined }
}

/** The meta data of a page of the ranking made at `at`; the next page begins at `next`. */
export function describeRankedPage(
  name: readonly string[],
  { page, limit }: RankedRequest,
  { at, total, next }: { readonly at: number; readonly total: number; readonly next: number },
): Page<never>['meta'] {
  const nextCursor = next < total ? Buffer.from(JSON.stringify([...name, at, next])).toString('base64url') : null
  return { page, limit, total, nextCursor }
}

function readCursor(name: readonly string[], cursor: string): { at: number; offset: number } {
  const parts = parse(cursor)
  const [at, offset] = Array.isArray(parts) ? parts.splice(name.length) : []
  if (JSON.stringify(parts) !== JSON.stringify(name) || !isWhole(at) || !isWhole(offset)) throw badCursor()
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
