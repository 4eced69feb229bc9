import sql, { raw } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'

/**
 * Lists the tables of the embedded engine, which has no autovacuum, that have changed so much that plans made for them are
 * wrong, or that dead rows are in the way. The thresholds are those of PostgreSQL. A new service grows from nothing to
 * thousands of rows within minutes, and its statements would take several times as long with the plans of an empty one.
 */
export async function listChangedTables(db: Db): Promise<string[]> {
  const rows = await db.many<{ name: string }>(sql`
    select quote_ident(relname) as name from pg_stat_user_tables
    join lateral (select greatest(reltuples, 0) as rows from pg_class where oid = relid) size on true
    where n_mod_since_analyze > 50 + 0.1 * rows or n_dead_tup > 50 + 0.2 * rows or n_ins_since_vacuum > 1000 + 0.2 * rows
    order by n_mod_since_analyze desc`)
  return rows.map(({ name }) => name)
}

export async function vacuumTable(db: Db, name: string): Promise<void> {
  await db.run(sql`vacuum analyze ${raw(name)}`)
}
