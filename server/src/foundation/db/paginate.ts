import { MAX_PAGE_DEPTH } from '@rookery/api'
import sql, { empty, type Sql } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { type Db, every, pgCode } from './db.js'

/** The part of a list that a caller requests. */
export interface PageRequest {
  readonly page?: number
  readonly limit?: number
  readonly cursor?: string
}

export interface Page<Row> {
  readonly rows: Row[]
  readonly meta: PageMeta
}

export interface PageMeta {
  readonly page: number
  readonly limit: number
  readonly total: number
  readonly totalIsLowerBound?: true
  readonly nextCursor: string | null
}

/** A list: where its rows come from, which ones, and in which order. */
export interface List {
  /** Named queries that `from` and `total` read. */
  readonly with?: Sql
  /** The select list. */
  readonly columns: Sql
  /** Everything after `from`, without conditions. */
  readonly from: Sql
  readonly where: readonly Sql[]
  /** The sort key. Never null; `id` breaks ties. */
  readonly order: { readonly by: Sql; readonly type: Sql; readonly direction: 'asc' | 'desc' }
  readonly id: Sql
  /** The type of `id`; uuid by default. */
  readonly idType?: Sql
  /** Names the list and its order, so that a cursor of another list is refused. */
  readonly name: string
  /** A query for the total, where that is cheaper than counting rows. */
  readonly total?: Sql
  /** Counts no further than page numbers can reach: the exact number beyond helps nobody and costs a scan. */
  readonly capped?: true
  /** Where the query for the total stops counting, so that a total that reaches it is a lower bound. */
  readonly countedTo?: number
  /** Read only for the rows of the page: more columns, and the joins to `page` that they come from. */
  readonly around?: { readonly columns: Sql; readonly joins: Sql }
}

interface Keyed {
  readonly cursor_key: string
  readonly cursor_id: string
  readonly total: number
  /** Null in a row that exists only for the total. */
  readonly place: number | null
}

/** Reads one page of a list, by number or after a cursor. */
export async function paginate<Row>(db: Db, list: List, request: PageRequest): Promise<Page<Row>> {
  const { page: number = 1, limit = 20 } = request
  if (number * limit > MAX_PAGE_DEPTH && request.cursor === undefined) throw new Problem('PAGE_TOO_DEEP')
  const after = request.cursor === undefined ? undefined : decodeCursor(list.name, request.cursor)
  const conditions = every(after ? [...list.where, beyond(list, after)] : list.where)
  const direction = list.order.direction === 'asc' ? sql`asc` : sql`desc`
  const page = sql`
    select ${list.columns}, (${list.order.by})::text as cursor_key, (${list.id})::text as cursor_id
    from ${list.from} where ${conditions}
    order by ${list.order.by} ${direction}, ${list.id} ${direction}
    limit ${limit + 1} offset ${after ? 0 : (number - 1) * limit}`
  const results = await readRows<Row & Keyed>(db, withTotal(list, page))
  const total = results[0]?.total ?? 0
  const rows = results.filter(({ place }) => place !== null)
  const pageRows = rows.slice(0, limit)
  const last = rows.length > limit ? pageRows.at(-1) : undefined
  const nextCursor = last ? encodeCursor(list.name, last.cursor_key, last.cursor_id) : null
  const countedTo = list.countedTo ?? (list.capped && !list.total ? MAX_PAGE_DEPTH : Number.POSITIVE_INFINITY)
  return { rows: pageRows, meta: { page: after ? 1 : number, limit, ...totalView(total, countedTo), nextCursor } }
}

/** A total whose count stops at `countedTo`. */
export function totalView(total: number, countedTo: number): Pick<PageMeta, 'total' | 'totalIsLowerBound'> {
  return total < countedTo ? { total } : { total, totalIsLowerBound: true }
}

// Every row carries the total; an empty page is one row with only the total.
function withTotal({ around, ...list }: List, page: Sql): Sql {
  const { columns, joins } = around ?? { columns: empty, joins: empty }
  return sql`
    ${list.with ? sql`with ${list.with}` : empty}
    select counted.total, page.* ${columns}
    from (select (${list.total ?? countOf(list)}) as total) counted
    left join (select *, row_number() over () as place from (${page}) page) page on true ${joins}
    order by page.place`
}

function countOf({ from, where, capped }: Omit<List, 'around'>): Sql {
  const rows = sql`select from ${from} where ${every(where)}`
  return sql`select count(*)::int as total from (${capped ? sql`${rows} limit ${MAX_PAGE_DEPTH}` : rows}) counted`
}

async function readRows<Row>(db: Db, query: Sql): Promise<Row[]> {
  try {
    return await db.many<Row>(query)
  } catch (error) {
    // Class 22 is "data exception": the only data here that a caller can forge is the cursor's key.
    if (pgCode(error)?.startsWith('22')) throw badCursor()
    throw error
  }
}

/** For a cursor that is forged or belongs to another list. */
export function badCursor(): Problem {
  return Problem.at('cursor', 'must be meta.nextCursor of a page of this same list')
}

function beyond({ order, id, idType = sql`uuid` }: List, after: { key: string; id: string }): Sql {
  const key = sql`cast(${after.key}::text as ${order.type})`
  const last = sql`cast(${after.id}::text as ${idType})`
  return order.direction === 'asc'
    ? sql`(${order.by}, ${id}) > (${key}, ${last})`
    : sql`(${order.by}, ${id}) < (${key}, ${last})`
}

/** The cursor for the part of a list after a row. */
export function encodeCursor(name: string, key: string, id: string): string {
  return Buffer.from(JSON.stringify([name, key, id])).toString('base64url')
}

// A UUID, an address, or a position on the chain.
const ID = /^([0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]{40}|[0-9]{1,18})$/
const KEY = /^[0-9a-zA-Z:.+\- ]{1,64}$/

/** Reads the sort key and id from a cursor of the named list. */
export function decodeCursor(name: string, cursor: string): { key: string; id: string } {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (!Array.isArray(parts) || parts.length !== 3) throw new Error('not a cursor')
    const [list, key, id] = parts.map(String) as [string, string, string]
    if (list !== name || !KEY.test(key) || !ID.test(id)) throw new Error('not a cursor of this list')
    return { key, id }
  } catch {
    throw badCursor()
  }
}
