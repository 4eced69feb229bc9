import sql, { raw, type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

export type Model = Row<'embedding_model'>

/** The table with the vectors of one model. */
export function tableOf({ id }: Pick<Model, 'id'>, collection: { readonly table: string }): Sql {
  return raw(`${collection.table}_${id}`)
}

/** pgvector indexes vectors of up to 2,000 dimensions, or 4,000 in half precision. */
export function vectorType({ dimensions }: Pick<Model, 'dimensions'>): string {
  return `${dimensions <= 2_000 ? 'vector' : 'halfvec'}(${dimensions})`
}

/** Formats a vector for pgvector, whose numbers hold seven digits. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toPrecision(7)).join(',')}]`
}

/** How many of the nearest rows a search considers. */
export const DEPTH = 200
/** The candidate list of the index. With only `DEPTH` entries, a search among a million misses every seventh row. */
const EF_SEARCH = 400
/** Up to this many rows, an exact scan is faster than an index that has to skip filtered rows, and misses none. */
export const MAX_EXACT = 10_000
const MAX_SCAN_TUPLES = 100_000
const MAX_WORD_HITS = 20_000

/**
 * Configures a transaction for searching: the vector index continues until it has enough rows that pass the filters, and
 * the lookup of a very common word is cut off. The best plan depends on the parameters, so every search is planned anew.
 */
export async function prepareSearch(db: Db): Promise<void> {
  await db.run(sql`select ${settings}, set_config('plan_cache_mode', 'force_custom_plan', true)`)
}

const settings = sql`
  set_config('hnsw.iterative_scan', 'relaxed_order', true),
  set_config('hnsw.ef_search', ${raw(`'${EF_SEARCH}'`)}, true),
  set_config('hnsw.max_scan_tuples', ${raw(`'${MAX_SCAN_TUPLES}'`)}, true),
  set_config('gin_fuzzy_search_limit', ${raw(`'${MAX_WORD_HITS}'`)}, true)`

/**
 * Part of a `with`: the same inside a statement, for itself alone. The indexes read these settings when a scan begins, and
 * a scan begins after the condition `isPrepared` was evaluated.
 */
export const prepared = sql`prepared as materialized (select num_nonnulls(${settings}) > 0 as is_prepared)`
export const isPrepared = sql`(select is_prepared from prepared)`

/** Rows with a `vector`, and the conditions on them. */
export interface Space {
  readonly model: Model
  readonly from: Sql
  readonly id: Sql
  /** The condition of the partial index to use. */
  readonly within: Sql
  readonly where: readonly Sql[]
  /** The same conditions in a form that is faster where many rows pass. */
  readonly whereMany?: readonly Sql[]
  /** Fewer conditions, which are faster to count by. */
  readonly counted?: readonly Sql[]
  /** The least similarity of use; an exact scan need not sort what has less. */
  readonly atLeast?: number
}

/**
 * Builds a query for the rows nearest to a vector, as `id` and `similarity` (cosine: 1 is the same direction, 0 is
 * unrelated).
 */
export async function buildNearestQuery(db: Db, space: Space, vector: string): Promise<Sql> {
  const { model, from, id, within, where } = space
  const isFew = where.length > 0 && (await countUpTo(db, space, MAX_EXACT + 1)) <= MAX_EXACT
  const type = raw(vectorType(model))
  const distance = sql`vector::${type} <=> ${vector}::${type}`
  return sql`
    select id, 1 - distance as similarity from (
      select ${id} as id, ${isFew ? withoutIndex(distance) : distance} as distance
      from ${from} where ${every([within, ...where])} order by distance limit ${raw(String(DEPTH))}) nearest`
}

/** The same as one query, which counts by itself, inside a statement with `prepared`. */
export function nearestQuery(space: Space, vector: Sql | string): Sql {
  const { model, from, id, within, where, whereMany = where, counted = where, atLeast } = space
  const type = raw(vectorType(model))
  const distance = sql`vector::${type} <=> ${vector}::${type}`
  const nearest = (by: Sql, conditions: readonly Sql[]) => sql`
    (select ${id} as id, ${by} as distance from ${from}
    where ${every([within, ...conditions])} order by distance limit ${raw(String(DEPTH))})`
  if (where.length === 0)
    return sql`select id, 1 - distance as similarity from ${nearest(distance, [isPrepared])} nearest`
  const few = sql`(select is_few from few)`
  const exact = withoutIndex(distance)
  const isClose = atLeast === undefined ? [] : [sql`${exact} <= ${1 - atLeast}`]
  return sql`
    with few as materialized (
      select count(*) <= ${raw(String(MAX_EXACT))} as is_few from (
        select from ${from} where ${every([within, ...counted])} limit ${raw(String(MAX_EXACT + 1))}) counted)
    select id, 1 - distance as similarity from (
      ${nearest(exact, [...where, few, ...isClose])}
      union all ${nearest(distance, [...whereMany, sql`not ${few}`, isPrepared])}) nearest`
}

// The index applies only to the bare expression.
const withoutIndex = (distance: Sql) => sql`(${distance}) + 0`

async function countUpTo(db: Db, { from, within, where }: Space, most: number): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (
      select from ${from} where ${every([within, ...where])} limit ${raw(String(most))}) counted`)
  return total
}
