import { setTimeout as wait } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { ConfigError } from '../../base/config-error.js'
import { watchBlockers } from './blockers.js'
import { pgCode } from './db.js'
import { headerOf, type Migration } from './migrations.js'
import { splitStatements } from './sql-statements.js'

const CONFIG_ERROR = 'F0000'
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK = '40P01'

// Whoever comes after a waiting migration waits as long as it does: so it waits briefly, and lets them pass in between.
const LOCK_MS = 300
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 10_000
const PATIENCE_MS = 10 * 60_000

export interface Applying {
  readonly pool: Pool
  /** The session that holds the lock of migrations. */
  readonly client: PoolClient
  readonly log?: Pick<Logger, 'warn'> | undefined
  /** How long a lock is tried for. */
  readonly patienceMs?: number | undefined
  /** After which time of waiting it says for whom. */
  readonly tellAfterMs?: number | undefined
}

/** How long others are waited for before it is said who they are. */
export const TELL_AFTER_MS = 5_000

/** Applies one migration and notes that it is applied. */
export async function applyMigration(applying: Applying, migration: Migration): Promise<void> {
  const apply = headerOf(migration).isConcurrent ? applyOneByOne : applyAtOnce
  try {
    await apply(applying, migration)
  } catch (error) {
    if (error instanceof ConfigError) throw error
    // Raised by a migration itself, with what the operator has to do.
    if (pgCode(error) === CONFIG_ERROR) throw new ConfigError((error as Error).message)
    throw new Error(`Migration ${migration.name} failed`, { cause: error })
  }
}

async function applyAtOnce(applying: Applying, migration: Migration): Promise<void> {
  const { client } = applying
  await persist(applying, migration.name, async () => {
    await client.query(`begin; set local lock_timeout = ${LOCK_MS}`)
    try {
      await client.query(migration.text)
      await note(client, migration)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback').catch(() => {})
      throw error
    }
  })
}

// None of these statements makes readers or writers wait, neither while it waits nor while it works. A process that ends
// half-way leaves an index that is not valid, and the next one makes it again.
async function applyOneByOne(applying: Applying, migration: Migration): Promise<void> {
  const { client } = applying
  for (const statement of splitStatements(migration.text))
    await persist(applying, migration.name, async () => {
      const index = indexMadeBy(statement)
      const state = index && (await stateOf(client, index))
      if (state === 'valid') return
      if (state === 'broken') await client.query(`drop index concurrently ${index}`)
      await client.query(statement)
    })
  await note(client, migration)
}

function indexMadeBy(statement: string): string | undefined {
  return /^create (?:unique )?index concurrently (?:if not exists )?("?\w+"?)/i.exec(
    statement.replace(/\s+/g, ' '),
  )?.[1]
}

async function stateOf(client: PoolClient, index: string): Promise<'valid' | 'broken' | undefined> {
  const { rows } = await client.query<{ isValid: boolean }>(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  return rows[0] && (rows[0].isValid ? 'valid' : 'broken')
}

async function note(client: PoolClient, migration: Migration): Promise<void> {
  await client.query('insert into migration (name, checksum, beside) values ($1, $2, $3)', [
    migration.name,
    migration.checksum,
    headerOf(migration).beside ?? null,
  ])
}

/** Repeats work that got no lock, with growing pauses. */
async function persist(
  { pool, client, log, patienceMs = PATIENCE_MS, tellAfterMs = TELL_AFTER_MS }: Applying,
  name: string,
  work: () => Promise<void>,
) {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  const begunAt = performance.now()
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
    const blockers = watchBlockers(pool, rows[0]?.pid ?? 0, {
      afterMs: tellAfterMs,
      tell: (who) => log?.warn(`Migration ${name} waits until ${who} is done. Nobody waits for it meanwhile.`),
    })
    try {
      return await work()
    } catch (error) {
      const code = pgCode(error)
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error
      const what = `Migration ${name} waits for a lock that ${blockers.stop() ?? 'another session'} holds`
      if (performance.now() - begunAt >= patienceMs)
        throw new ConfigError(`${what}. It gave up; end that session, or run it again when it has ended.`)
      log?.warn(`${what}. It tries again in ${pause} ms, so that nobody else waits for it.`)
    } finally {
      blockers.stop()
    }
    await wait(pause)
  }
}
