import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { ConfigError } from '../base/config-error.js'
import type { Config } from '../config/config.js'
import { beginDatabase } from '../foundation/db/begin.js'
import { findMissing, migrate } from '../foundation/db/migrate.js'
import { headerOf, type Migration, readMigrations } from '../foundation/db/migrations.js'
import { findOffline } from '../foundation/db/online.js'
import { databaseChecks } from '../start/check-database.js'
import { type Command, type Outcome, systemLog } from './command.js'

export const migrateCommand: Command = {
  name: 'migrate',
  arguments: ['[--check]'],
  summary: 'bring the database to this version; with --check only list what is missing, exit code 1 if something is',
  async run(config, [option]) {
    if (option === '--check') return check(config)
    if (option !== undefined) throw new ConfigError(`migrate knows the option --check, and not ${option}.`)
    await refuseUnlessAble(config)
    const applied = await withPool(config, (pool) => migrate(pool, { log: systemLog }))
    return applied.length === 0 ? 'No migration is missing.' : `Applied:\n${applied.join('\n')}`
  },
}

async function check(config: Config): Promise<Outcome> {
  // Opening the embedded database would make one.
  const isNew = !config.DATABASE_URL && !existsSync(join(config.DATA_DIR, 'database'))
  const missing = isNew ? readMigrations() : await withPool(config, findMissing)
  if (missing.length === 0) return { text: 'No migration is missing.', exitCode: 0 }
  const all = readMigrations()
  const lines = missing.map((migration) => describe(migration, all.slice(0, all.indexOf(migration))))
  return { text: `${missing.length} migrations are missing:\n${lines.join('\n')}`, exitCode: 1 }
}

function describe(migration: Migration, earlier: readonly Migration[]): string {
  const { isConcurrent, beside } = headerOf(migration)
  const offline = findOffline(migration, earlier)
  const old =
    beside && beside !== 'none'
      ? `versions from ${beside} on may run beside it`
      : 'older versions may not start beside it'
  if (offline.length > 0) return `${migration.name}  may make readers or writers wait (${offline[0]}); ${old}`
  return `${migration.name}  online${isConcurrent ? ', outside a transaction' : ''}; ${old}`
}

async function refuseUnlessAble(config: Config): Promise<void> {
  const reports = await databaseChecks(
    { ...config, MIGRATE: 'start' },
    { waitMs: config.DATABASE_WAIT_MS, log: systemLog },
  )
  const failures = reports.filter(({ finding }) => finding.is === 'failed').map(({ finding }) => finding.text)
  if (failures.length > 0) throw new ConfigError(`${failures.join(' ')} Nothing has been changed.`)
}

async function withPool<T>(config: Config, work: (pool: Pool) => Promise<T>): Promise<T> {
  const opening = await beginDatabase(config, systemLog)
  try {
    return await work((await opening.opened).sessions)
  } finally {
    await opening.close()
  }
}
