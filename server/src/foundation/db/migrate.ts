import type { Pool, PoolClient } from 'pg'
import { ConfigError } from '../../base/config-error.js'
import { mapOutage } from './away.js'
import { pgCode } from './db.js'
import { MIGRATIONS, type Migration, readMigrations } from './migrations.js'

// Any number will do, as long as nothing else in the database locks it.
const LOCK = 727_665_379
const CONFIG_ERROR = 'F0000'
// How many names a message lists.
const NAMED = 3

/** Applies the migrations that the database does not have yet, in order. Several instances may call it at once. */
export async function migrate(pool: Pool, folder = MIGRATIONS): Promise<string[]> {
  const client = await mapOutage(pool.connect())
  try {
    // No time limit: neither for a migration nor for waiting while another instance migrates.
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [LOCK])
    return await applyMissing(client, folder)
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => {})
    // Discard the connection: it has no time limits any more.
    client.release(true)
  }
}

async function applyMissing(client: PoolClient, folder: string): Promise<string[]> {
  await client.query(
    'create table if not exists migration (name text primary key, checksum text not null, applied_at timestamptz not null default now())',
  )
  const { rows } = await client.query<{ name: string; checksum: string }>('select name, checksum from migration')
  const seen = new Map(rows.map((row) => [row.name, row.checksum]))
  const migrations = readMigrations(folder)
  refuseNewer([...seen.keys()], migrations)
  const applied: string[] = []
  for (const { name, text, checksum } of migrations) {
    const appliedChecksum = seen.get(name)
    if (appliedChecksum === checksum) continue
    if (appliedChecksum)
      throw new ConfigError(`Migration ${name} was changed after it was applied. Restore it and add a new one.`)
    await applyOne(client, name, text, checksum)
    applied.push(name)
  }
  return applied
}

/** An older version could write wrong data to the tables of a newer one without anybody noticing. */
function refuseNewer(applied: readonly string[], migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter((name) => !known.has(name)).sort()
  if (unknown.length === 0) return
  const some = unknown.slice(0, NAMED).join(', ')
  const more = unknown.length > NAMED ? ` and ${unknown.length - NAMED} more` : ''
  throw new ConfigError(
    `The database was made by a newer version, whose migrations this one does not know (${some}${more}): ` +
      'install that version, or restore a backup from before the upgrade.',
  )
}

async function applyOne(client: PoolClient, name: string, text: string, checksum: string): Promise<void> {
  await client.query('begin')
  try {
    await client.query(text)
    await client.query('insert into migration (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    // Raised by a migration itself, with what the operator has to do.
    if (pgCode(error) === CONFIG_ERROR) throw new ConfigError((error as Error).message)
    throw new Error(`Migration ${name} failed`, { cause: error })
  }
}
