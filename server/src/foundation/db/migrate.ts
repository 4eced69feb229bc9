import { setTimeout as wait } from 'node:timers/promises'
import type { ClientBase, Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import semver from 'semver'
import { ConfigError } from '../../base/config-error.js'
import { packageVersion } from '../../config/config.js'
import { applyMigration, TELL_AFTER_MS } from './apply-migration.js'
import { mapOutage } from './away.js'
import { findHolders } from './blockers.js'
import { MIGRATIONS, type Migration, readMigrations } from './migrations.js'

// Any number will do, as long as nothing else in the database locks it.
const LOCK = 727_665_379
const LOCK_EVERY_MS = 200
// How many names a message lists.
const NAMED = 3

export interface MigrateOptions {
  readonly folder?: string
  /** The version of this program. */
  readonly version?: string
  readonly log?: Pick<Logger, 'warn'>
  /** How long a migration tries to get a lock that another session holds. */
  readonly patienceMs?: number
  /** After which time of waiting it says for whom. */
  readonly tellAfterMs?: number
}

/** Applies the migrations that the database does not have yet, in order. Several instances may call it at once. */
export async function migrate(pool: Pool, options: MigrateOptions = {}): Promise<string[]> {
  if ((await findMissing(pool, options)).length === 0) return []
  const client = await mapOutage(pool.connect())
  try {
    // No time limit: neither for a migration nor for waiting while another instance migrates.
    await client.query('set statement_timeout = 0; set lock_timeout = 0; set idle_in_transaction_session_timeout = 0')
    await takeLock(client, options)
    await createTable(client)
    const applied: string[] = []
    for (const migration of await findMissing(client, options)) {
      await applyMigration(
        { pool, client, log: options.log, patienceMs: options.patienceMs, tellAfterMs: options.tellAfterMs },
        migration,
      )
      applied.push(migration.name)
    }
    return applied
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {})
    // Discard the connection: it has no time limits any more.
    client.release(true)
  }
}

/** The migrations that the database lacks. Refuses a database that this version cannot work with. Changes nothing. */
export async function findMissing(
  connection: Pool | ClientBase,
  { folder = MIGRATIONS, version = packageVersion() }: MigrateOptions = {},
): Promise<Migration[]> {
  const applied = await listApplied(connection)
  const migrations = readMigrations(folder)
  refuseNewer(applied, migrations, version)
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]))
  const changed = migrations.find(({ name, checksum }) => (checksums.get(name) ?? checksum) !== checksum)
  if (changed)
    throw new ConfigError(`Migration ${changed.name} was changed after it was applied. Restore it and add a new one.`)
  return migrations.filter(({ name }) => !checksums.has(name))
}

/** Refuses to start on a database that lacks migrations, where another program is to apply them. */
export async function requireMigrated(pool: Pool, options: MigrateOptions = {}): Promise<void> {
  const missing = await findMissing(pool, options)
  if (missing.length === 0) return
  throw new ConfigError(
    `The database lacks ${missing.length} migrations of this version (${listNames(missing.map(({ name }) => name))}), and ` +
      'MIGRATE is never: run rookery-operate migrate first.',
  )
}

// One try at a time: a session that waits inside a statement would itself be waited for by an index that is made concurrently.
async function takeLock(client: PoolClient, { log, tellAfterMs = TELL_AFTER_MS }: MigrateOptions): Promise<void> {
  const begunAt = performance.now()
  for (let isTold = false; ; ) {
    const { rows } = await client.query<{ isOurs: boolean }>('select pg_try_advisory_lock($1) as "isOurs"', [LOCK])
    if (rows[0]?.isOurs) return
    if (!isTold && performance.now() - begunAt >= tellAfterMs) {
      isTold = true
      log?.warn(
        `Another process applies migrations: ${(await findHolders(client, LOCK)) ?? 'just now'}. This one waits for it.`,
      )
    }
    await wait(LOCK_EVERY_MS)
  }
}

async function createTable(client: PoolClient): Promise<void> {
  await client.query(
    'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const { rowCount } = await client.query(
    `select from pg_attribute where attrelid = to_regclass('migration') and attname = 'beside'`,
  )
  if (rowCount === 0) await client.query('alter table migration add column beside text')
}

interface Applied {
  readonly name: string
  readonly checksum: string
  readonly beside: string | null
}

async function listApplied(connection: Pool | ClientBase): Promise<Applied[]> {
  const { rows: tables } = await mapOutage(
    connection.query<{ exists: boolean }>(`select to_regclass('migration') is not null as exists`),
  )
  if (!tables[0]?.exists) return []
  // A database of an older version has no column `beside` yet.
  const { rows } = await mapOutage(
    connection.query<Applied>(
      `select name, checksum, to_jsonb(migration) ->> 'beside' as beside from migration order by name`,
    ),
  )
  return rows
}

/**
 * An older version could write wrong data to the tables of a newer one without anybody noticing. So it starts only if each
 * migration that it does not know says that programs of its version may run beside it, as in a rolling upgrade.
 */
function refuseNewer(applied: readonly Applied[], migrations: readonly Migration[], version: string): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter(({ name, beside }) => !known.has(name) && !isBeside(version, beside))
  if (unknown.length === 0) return
  throw new ConfigError(
    `The database was made by a newer version, whose migrations this one does not know (${listNames(unknown.map(({ name }) => name))}): ` +
      'install that version, or restore a backup from before the upgrade.',
  )
}

function isBeside(version: string, beside: string | null): boolean {
  return beside !== null && semver.valid(beside) !== null && semver.gte(version, beside)
}

function listNames(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}
