import type { Db } from '@rookery/server/database'
import sql, { raw } from 'sql-template-tag'
import type { Step } from './step.js'

/** Drops the indexes of tables before they are filled, except unique ones, which prevent duplicate rows. */
export function dropIndexes(tables: readonly string[]): Step {
  return {
    name: 'drop indexes',
    async run(db: Db) {
      const indexes = await db.many<{ name: string; owner: string; ddl: string }>(sql`
        select name.relname as name, owner.relname as owner, pg_get_indexdef(indexrelid) as ddl
        from pg_index join pg_class name on name.oid = indexrelid join pg_class owner on owner.oid = indrelid
        join pg_namespace on pg_namespace.oid = owner.relnamespace
        where owner.relname = any(${tables}) and nspname = current_schema() and not indisunique`)
      for (const { name, owner, ddl } of indexes) {
        await db.run(sql`insert into bench.index (name, owner, ddl) values (${name}, ${owner}, ${ddl})`)
        await db.run(sql`drop index ${raw(name)}`)
      }
    },
  }
}

/** Recreates the indexes of a table. */
export function restoreIndexes(table: string): Step {
  return {
    name: `index ${table}`,
    async run(db: Db) {
      await db.run(sql`set local maintenance_work_mem = '512MB'`)
      const indexes = await db.many<{ ddl: string }>(
        sql`select ddl from bench.index where owner = ${table} order by name`,
      )
      for (const { ddl } of indexes) await db.run(raw(ddl))
    },
  }
}
