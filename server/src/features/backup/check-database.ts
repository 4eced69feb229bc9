import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { type ChainState, findChainState } from '../../foundation/chain/cursor.js'
import { openEmbedded } from '../../foundation/db/connect.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { secretIdOf } from '../../foundation/secret-list.js'
import { BackupError } from './backup-error.js'
import { MARK } from './backup-socket.js'
import type { DatabaseFacts } from './manifest.js'

/** The result of checking the copy of a database. */
export interface CheckedDatabase {
  readonly facts: DatabaseFacts
  /** The secrets that open it; none in a database of a version that knew one only. */
  readonly secretIds: readonly string[]
  /** How far the database has followed the chain. */
  readonly cursor: ChainState | undefined
  /** Every upload that the database lists as stored. */
  readonly uploads: readonly { readonly name: string; readonly size: number }[]
}

// Without these files the engine would create a new database.
const NEEDED = ['PG_VERSION', 'global/pg_control']

/**
 * Opens the copy of a database, reads every table from its first page to its last, and closes it. The engine runs its
 * crash recovery on the copy, and verifies the checksum of each page. `mark` is the last value that was written before
 * the copy.
 */
export async function checkDatabase(
  folder: string,
  { mark, signal }: { mark: string | undefined; signal: AbortSignal },
): Promise<CheckedDatabase> {
  for (const name of NEEDED) if (!existsSync(join(folder, name))) throw unusable(`${name} is missing`)
  const database = await openEmbedded(folder, { image: undefined }).catch((error: Error) => {
    throw unusable(error.message)
  })
  try {
    return await check(database.db, mark, signal)
  } catch (error) {
    if (error instanceof BackupError || signal.aborted) throw error
    throw unusable((error as Error).message)
  } finally {
    await database.close().catch(() => {})
  }
}

async function check(db: Db, mark: string | undefined, signal: AbortSignal): Promise<CheckedDatabase> {
  await readTables(db, signal)
  const settings = await db.many<Row<'setting', 'name' | 'value'>>(sql`select name, value from setting`)
  const findSetting = (name: string) => settings.find((setting) => setting.name === name)?.value
  if (mark !== undefined && findSetting(MARK) !== mark) throw unusable('the last write is missing from it')
  const facts = await db.one<Omit<DatabaseFacts, 'secretFingerprint'>>(sql`
    select (select max(name) from migration) as migration, (select count(*)::int from agent) as agents,
      (select count(*)::int from tweet) as tweets, (select count(*)::int from trade) as trades`)
  const uploads = await db.many<Row<'file', 'name' | 'size'>>(
    sql`select name, size from file where stored_at is not null`,
  )
  return {
    facts: { ...facts, secretFingerprint: findSetting('secret_fingerprint') ?? null },
    secretIds: settings.flatMap(({ name }) => secretIdOf(name) ?? []),
    cursor: await findChainState(db),
    uploads: uploads.map(({ name, size }) => ({ name, size: Number(size) })),
  }
}

// With an index, the engine could count rows without reading the table.
const READ_ALL = [
  sql`set enable_indexscan = off`,
  sql`set enable_indexonlyscan = off`,
  sql`set enable_bitmapscan = off`,
]

async function readTables(db: Db, signal: AbortSignal): Promise<void> {
  for (const setting of READ_ALL) await db.run(setting)
  const tables = await db.many<{ name: string }>(sql`
    select oid::regclass::text as name from pg_class where relkind in ('r', 't', 'm')
      and relnamespace in (select oid from pg_namespace where nspname in ('public', 'pg_catalog', 'pg_toast'))`)
  for (const { name } of tables) {
    signal.throwIfAborted()
    await db.one(sql`select count(*) from ${raw(name)}`)
  }
}

function unusable(why: string): BackupError {
  return new BackupError(`The copy of the database cannot be used: ${why}.`)
}
