import sql, { raw, type Sql } from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Tables } from '../../foundation/db/row.js'

/** What the steps of an erasure use. */
export type EraseDeps = Pick<Deps, 'clock' | 'ids' | 'config' | 'events' | 'queue' | 'files' | 'secrets' | 'log'>

/** Where a step continues that goes through a table by its key. */
export type Position = Readonly<Record<string, string | boolean>>

/** What a step has done in a transaction, and where it continues. */
export interface Part {
  readonly done: number
  readonly position?: Position | undefined
}

/**
 * One thing that an erasure takes out of a table, some rows at a time. It looks for what is still there, so it may be stopped
 * and repeated at any moment.
 */
export interface Step<Sought> {
  readonly table: keyof Tables
  readonly fate: 'deleted' | 'emptied'
  /** How many rows are there; 0 for a step whose rows another one counts. */
  count(db: Db, sought: Sought): Promise<number>
  /** Does some more in the transaction `db`; undefined when there is nothing left. */
  take(db: Db, deps: EraseDeps, sought: Sought, position: Position | undefined): Promise<Part | undefined>
}

export const ROWS_AT_ONCE = 500
/** How many rows of a table without a fitting index are read at a time. */
export const WALKED_AT_ONCE = 5_000

export async function countRows(db: Db, table: keyof Tables, where: Sql): Promise<number> {
  const { total } = await db.one<{ total: number }>(
    sql`select count(*)::integer as total from ${raw(table)} where ${where}`,
  )
  return total
}

export const part = (done: number): Part | undefined => (done === 0 ? undefined : { done })

// Of a partitioned table, ctid alone does not name one row.
const some = (table: keyof Tables, where: Sql) =>
  sql`(tableoid, ctid) in (select tableoid, ctid from ${raw(table)} where ${where} limit ${ROWS_AT_ONCE})`

/** Deletes the rows that meet a condition. */
export function deleted<Sought>(table: keyof Tables, where: (sought: Sought) => Sql): Step<Sought> {
  return {
    table,
    fate: 'deleted',
    count: (db, sought) => countRows(db, table, where(sought)),
    take: async (db, _, sought) =>
      part(await db.run(sql`delete from ${raw(table)} where ${some(table, where(sought))}`)),
  }
}

/** Changes the rows that meet a condition, which they must not meet any more afterwards. */
export function emptied<Sought>(
  table: keyof Tables,
  where: (sought: Sought) => Sql,
  set: (sought: Sought, deps: EraseDeps) => Sql,
): Step<Sought> {
  return {
    table,
    fate: 'emptied',
    count: (db, sought) => countRows(db, table, where(sought)),
    take: async (db, deps, sought) =>
      part(await db.run(sql`update ${raw(table)} set ${set(sought, deps)} where ${some(table, where(sought))}`)),
  }
}

/** A step that only `take` describes: what it takes is counted by another one, or is at most one row. */
export function special<Sought>(
  table: keyof Tables,
  fate: Step<Sought>['fate'],
  take: Step<Sought>['take'],
  count: (sought: Sought) => Sql = () => sql`false`,
): Step<Sought> {
  return { table, fate, count: (db, sought) => countRows(db, table, count(sought)), take }
}
