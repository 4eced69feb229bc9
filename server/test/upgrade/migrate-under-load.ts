import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, Pool } from 'pg'
import { migrate } from '../../src/foundation/db/migrate.js'
import { headerOf, MIGRATIONS, type Migration, readMigrations } from '../../src/foundation/db/migrations.js'
import { splitStatements, withoutContents } from '../../src/foundation/db/sql-statements.js'
import { FIRST_PROBED, fillTable, insertOf } from './fill-table.js'

/** From this number on, migrations make nobody wait. */
const FIRST = '0247'

/** What a migration did to those who used its tables meanwhile. */
export interface Load {
  readonly name: string
  readonly tables: readonly string[]
  readonly ms: number
  /** The longest that a statement of a reader or writer took, with or without waiting for a lock. */
  readonly longestMs: number
  /** The statements that would have waited longer than a second for a lock. */
  readonly waited: readonly string[]
  /** Tables and indexes whose files were written anew. */
  readonly rewritten: readonly string[]
}

/**
 * Applies the newer migrations to an empty database, one by one, each with so many rows in its tables, under readers and
 * writers, and while somebody has read those tables in a transaction that goes on.
 */
export async function migrateUnderLoad(
  url: string,
  rowsOf: (table: string) => number,
  migrations = readMigrations(),
): Promise<Load[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-migrations-'))
  const pool = new Pool({ connectionString: url, options: '-c maintenance_work_mem=256MB -c synchronous_commit=off' })
  const loads: Load[] = []
  const filled = new Set<string>()
  try {
    for (const { name } of migrations.filter(({ name }) => name < FIRST))
      await cp(join(MIGRATIONS, name), join(folder, name))
    await migrate(pool, { folder })
    for (const migration of migrations.filter(({ name }) => name >= FIRST))
      loads.push(await applyOne({ pool, url, folder, rowsOf, filled }, migration))
    return loads
  } finally {
    await pool.end()
    await rm(folder, { recursive: true })
  }
}

interface Ground {
  readonly pool: Pool
  readonly url: string
  readonly folder: string
  readonly rowsOf: (table: string) => number
  /** The tables that have their rows. */
  readonly filled: Set<string>
}

// A table that a constraint refers to is locked too, and functions are given the names of tables.
const NAMED =
  /\b(?:table (?:if exists )?(?:only )?|on (?:only )?|update |delete from |truncate |into |references )([a-z_]+)/g
const GIVEN = /'([a-z_]+)'/g

function tablesIn(statement: string): string[] {
  const named = withoutContents(statement).toLowerCase().matchAll(NAMED)
  return [...named, ...statement.matchAll(GIVEN)].map(([, name = '']) => name)
}

async function applyOne({ pool, url, folder, rowsOf, filled }: Ground, migration: Migration): Promise<Load> {
  const names = splitStatements(migration.text).flatMap(tablesIn)
  const { rows: existing } = await pool.query<{ name: string }>(
    `select relname as name from pg_class
     where relname = any($1) and relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    [names],
  )
  const tables = existing.map(({ name }) => name)
  const client = await pool.connect()
  for (const table of tables.filter((table) => !filled.has(table))) await fillTable(client, table, rowsOf(table))
  for (const table of tables) filled.add(table)
  client.release(true)
  const before = await listFiles(pool)
  const inserts = new Map(await Promise.all(tables.map(async (table) => [table, await insertOf(pool, table)] as const)))
  const probes = await Promise.all(
    tables.flatMap((table) =>
      [readOf, writeOf, () => inserts.get(table) ?? ''].map((of) => startProbe(url, table, of)),
    ),
  )
  await writeFile(join(folder, migration.name), migration.text)
  // An index that is made concurrently would wait for them, and keep nobody else waiting.
  const reader = headerOf(migration).isConcurrent ? undefined : await readThrough(url, tables)
  const startedAt = performance.now()
  const failure = await migrate(pool, { folder, log: { warn: () => void reader?.end() } }).then(
    () => undefined,
    (error: Error) => error,
  )
  await reader?.end()
  const ms = performance.now() - startedAt
  const results = await Promise.all(probes.map((probe) => probe.stop()))
  if (failure) throw failure
  const after = await listFiles(pool)
  return {
    name: migration.name,
    tables,
    ms,
    longestMs: Math.max(0, ...results.map(({ longestMs }) => longestMs)),
    waited: results.flatMap(({ waited }) => waited),
    rewritten: [...before].filter(([name, file]) => after.has(name) && after.get(name) !== file).map(([name]) => name),
  }
}

async function listFiles(pool: Pool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ name: string; file: number }>(
    `select relname as name, relfilenode::int8::int as file from pg_class where relnamespace = 'public'::regnamespace and relfilenode <> 0`,
  )
  return new Map(rows.map(({ name, file }) => [name, file]))
}

const readOf = (table: string) => `select * from ${table} limit 10`
const writeOf = (table: string, column: string) =>
  `update ${table} set "${column}" = "${column}" where ctid = any(array(select ctid from ${table} limit 1))`

/** Somebody who has read the tables in a transaction that is not over, as a dump does. */
async function readThrough(url: string, tables: readonly string[]): Promise<{ end(): Promise<void> }> {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query('begin')
  for (const table of tables) await client.query(`select from ${table} limit 1`)
  let ended: Promise<void> | undefined
  return {
    end() {
      ended ??= client.end()
      return ended
    },
  }
}

/** Runs a statement again and again. The server itself cancels it when it waits for a lock for a second. */
async function startProbe(url: string, table: string, statementOf: (table: string, column: string) => string) {
  const client = new Client({ connectionString: url })
  await client.connect()
  await client.query(`set lock_timeout = '1s'; set session_replication_role = replica`)
  const { rows } = await client.query<{ name: string }>(
    `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = '' and attidentity = '' limit 1`,
    [table],
  )
  const statement = statementOf(table, rows[0]?.name ?? '')
  let count = FIRST_PROBED
  const waited: string[] = []
  let longestMs = 0
  let isStopped = false
  const running = (async () => {
    while (!isStopped) {
      const startedAt = performance.now()
      const values = statement.includes('$1') ? [count++] : []
      await client.query(statement, values).catch((error: Error & { code?: string }) => {
        if (error.code !== '55P03') throw error
        waited.push(statement)
      })
      longestMs = Math.max(longestMs, performance.now() - startedAt)
    }
  })()
  // Whoever stops it gets the error.
  running.catch(() => {})
  return {
    async stop() {
      isStopped = true
      await running
      await client.end()
      return { longestMs, waited }
    },
  }
}
