import sql, { raw, type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

/** What vectors were made with. */
export type Model = Row<'embedding_model'>

/** The table with the vectors of one model. */
export function tableOf({ id }: Pick<Model, 'id'>, collection: { readonly table: string }): Sql {
  return raw(`${collection.table}_${id}`)
}

/** What pgvector can index: vectors of up to 2,000 dimensions, in half precision 4,000. */
export function vectorType({ dimensions }: Pick<Model, 'dimensions'>): string {
  return `${dimensions <= 2_000 ? 'vector' : 'halfvec'}(${dimensions})`
}

/** A vector as pgvector reads it. Seven digits are all that its numbers hold. */
export function vectorLiteral(vector: Float32Array): string {
  return `[${Array.from(vector, (value) => value.toPrecision(7)).join(',')}]`
}

/** How many of the nearest are looked at. */
export const DEPTH = 200
/** How many the index keeps in view to find them: among a million, as many as are wanted would miss every seventh. */
const IN_VIEW = 400
/** Up to so many, comparing with each is faster than an index that passes over what does not fit, and misses none. */
export const MOST_COMPARED = 10_000
const MOST_SCANNED = 100_000
const MOST_READ = 20_000

/**
 * Prepares a transaction for searching: the index goes on until it has found enough that fits. A search for a very common
 * word looks at a part of its places. What fits best depends on what is looked for, so every search is planned for itself.
 */
export async function prepareSearch(db: Db): Promise<void> {
  await db.run(sql`
    select set_config('hnsw.iterative_scan', 'relaxed_order', true),
      set_config('hnsw.ef_search', ${String(IN_VIEW)}, true),
      set_config('hnsw.max_scan_tuples', ${String(MOST_SCANNED)}, true),
      set_config('gin_fuzzy_search_limit', ${String(MOST_READ)}, true),
      set_config('plan_cache_mode', 'force_custom_plan', true)`)
}

/** Rows with a `vector`, and which of them are wanted. */
export interface Space {
  readonly model: Model
  readonly from: Sql
  readonly id: Sql
  /** Decides which index is used, as its condition has it. */
  readonly within: Sql
  readonly where: readonly Sql[]
}

/**
 * The query of the rows nearest to a vector, as `id` and `likeness`: 1 is the same direction, 0 has nothing to do
 * with it.
 */
export async function nearest(db: Db, space: Space, vector: string): Promise<Sql> {
  const { model, from, id, within, where } = space
  const isFew = where.length > 0 && (await countUpTo(db, space, MOST_COMPARED + 1)) <= MOST_COMPARED
  const type = raw(vectorType(model))
  const distance = sql`vector::${type} <=> ${vector}::${type}`
  return sql`
    select id, 1 - distance as likeness from (
      select ${id} as id, ${isFew ? withoutIndex(distance) : distance} as distance
      from ${from} where ${every([within, ...where])} order by distance limit ${raw(String(DEPTH))}) nearest`
}

// The index is for the bare expression only.
const withoutIndex = (distance: Sql) => sql`(${distance}) + 0`

async function countUpTo(db: Db, { from, within, where }: Space, most: number): Promise<number> {
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (
      select from ${from} where ${every([within, ...where])} limit ${raw(String(most))}) counted`)
  return total
}
