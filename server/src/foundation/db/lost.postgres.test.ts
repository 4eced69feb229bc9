import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { openPostgresPeers } from '../peers/postgres-peers.js'
import { DatabaseAway } from './away.js'
import { type OpenDatabase, openPostgres } from './connect.js'
import { withLongTimeouts } from './db.js'
import { migrate } from './migrate.js'
import { MIGRATIONS } from './migrations.js'

const prepared = await createTestDatabase()
const url = prepared.env.DATABASE_URL ?? ''
const admin = new Client({ connectionString: url })
await admin.connect()
// A separate connection holds the locks: inside a transaction, pg_stat_activity does not change.
const holder = new Client({ connectionString: url })
await holder.connect()
await admin.query('create table thing (id integer primary key, n integer not null)')
await admin.query('insert into thing values (1, 0)')
afterAll(async () => {
  await Promise.all([admin.end(), holder.end()])
  await prepared.remove()
})

const DEADLINES = {
  connectMs: 300,
  statementMs: 60_000,
  lockMs: 60_000,
  idleInTransactionMs: 60_000,
  answerMs: 60_000,
  silentAfterMs: 60_000,
}
const SOON = { timeout: 20_000, interval: 20 }
const losses: Error[] = []
let database: OpenDatabase

beforeEach(() => {
  losses.length = 0
  database = openPostgres(url, { poolSize: 2, deadlines: DEADLINES, onError: (error) => losses.push(error) })
})
afterEach(() => database.close())

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error)
const pidOf = async ({ db } = database) => (await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid
const end = (pid: number) => admin.query('select pg_terminate_backend($1, 5000)', [pid])

/** Waits until one connection of the service meets the condition; returns its process id. */
async function findBackend(condition: string): Promise<number> {
  return vi.waitFor(async () => {
    const { rows } = await admin.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name like 'rookery%' and ${condition}`,
    )
    if (rows.length !== 1) throw new Error(`${rows.length} connections are in this state`)
    return rows[0].pid
  }, SOON)
}

async function migrationsWith(slow: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-migrations-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  await writeFile(join(folder, '9999_slow.sql'), slow)
  return folder
}

async function expectToWork({ db } = database): Promise<void> {
  expect(await db.one(sql`select 1 as up`)).toEqual({ up: 1 })
  expect(await db.transaction((db) => db.one(sql`select 2 as up`))).toEqual({ up: 2 })
}

describe('a connection that is lost', () => {
  test('while it is idle is replaced', async () => {
    await end(await pidOf())
    await vi.waitFor(() => expect(losses).toHaveLength(1), SOON)
    await expectToWork()
  })

  test('in a statement fails that statement', async () => {
    const failure = failureOf(database.db.one(sql`select pg_sleep(60)`))
    await end(await findBackend(`query like '%pg_sleep%'`))
    expect(await failure).toBeInstanceOf(DatabaseAway)
    await expectToWork()
  })

  test.each(['before a statement', 'before its commit'])(
    'in a transaction %s fails the transaction, and nothing of it is kept',
    async (when) => {
      const failure = failureOf(
        database.db.transaction(async (db) => {
          await db.run(sql`update thing set n = n + 1`)
          await end(await findBackend(`state = 'idle in transaction'`))
          if (when === 'before a statement') await db.one(sql`select 1`)
        }),
      )
      expect(await failure).toBeInstanceOf(DatabaseAway)
      expect(await database.db.one(sql`select n from thing`)).toEqual({ n: 0 })
      await expectToWork()
    },
  )

  test('in a transaction without a message from the server fails it all the same', async () => {
    const failure = failureOf(
      database.db.transaction(async (db) => {
        await db.one(sql`select 1`)
        const client = database.pool as unknown as { _clients: { connection: { stream: { destroy(): void } } }[] }
        for (const { connection } of client._clients) connection.stream.destroy()
      }),
    )
    expect(await failure).toBeInstanceOf(DatabaseAway)
    await expectToWork()
  })

  test('while it waits for a lock fails the transaction that waits', async () => {
    await holder.query('begin')
    await holder.query('select from thing for update')
    const failure = failureOf(database.db.transaction((db) => db.run(sql`update thing set n = n + 1`)))
    await end(await findBackend(`wait_event_type = 'Lock'`))
    await holder.query('rollback')
    expect(await failure).toBeInstanceOf(DatabaseAway)
    await expectToWork()
  })

  test('while it waits to migrate, or migrates, fails the migration', async () => {
    const folder = await migrationsWith('select pg_sleep(60)')
    await holder.query('select pg_advisory_lock(727665379)')
    const whileWaiting = failureOf(migrate(database.pool, { folder }))
    await end(await findBackend(`query like '%pg_try_advisory_lock%'`))
    expect(await whileWaiting).toBeInstanceOf(Error)
    await holder.query('select pg_advisory_unlock(727665379)')
    const whileMigrating = failureOf(migrate(database.pool, { folder }))
    await end(await findBackend(`query like '%pg_sleep(60)%'`))
    expect(await whileMigrating).toBeInstanceOf(Error)
    expect(await migrate(database.pool)).toEqual([])
    await rm(folder, { recursive: true })
  })

  test('while it copies fails the copy', async () => {
    const client = await database.pool.connect()
    const failure = failureOf(client.query('copy (select pg_sleep(60)) to stdout'))
    await end(await findBackend(`query like 'copy%'`))
    expect(await failure).toBeInstanceOf(Error)
    client.release()
    await expectToWork()
  })

  test('while it listens is replaced, and later messages arrive', async () => {
    const open = () => openPostgresPeers({ db: database.db, url, instanceId: randomUUID(), onError: () => {} })
    const [one, two] = [await open(), await open()]
    const received: string[] = []
    two.on('greeting', (body) => received.push(body))
    let gaps = 0
    two.onGap(() => gaps++)
    const { rows } = await admin.query(
      `select pid from pg_stat_activity where datname = current_database() and application_name = 'rookery-peers'`,
    )
    for (const { pid } of rows) await end(pid)
    await vi.waitFor(() => expect(gaps).toBeGreaterThan(0), SOON)
    await one.broadcast('greeting', 'hello')
    expect(received).toEqual(['hello'])
    await Promise.all([one.close(), two.close()])
  })
})

describe('a server that does not answer', () => {
  test('fails after the connection deadline', async () => {
    const mute = createServer(() => {}).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const { port } = mute.address() as { port: number }
    const away = openPostgres(`postgres://nobody@127.0.0.1:${port}/nothing`, { deadlines: DEADLINES })
    expect(await failureOf(away.db.one(sql`select 1`))).toMatchObject({ name: 'DatabaseAway', isSilence: true })
    expect(await failureOf(away.db.transaction((db) => db.one(sql`select 1`)))).toMatchObject({ isSilence: true })
    mute.close()
    await away.close()
  })

  test('keeps nobody waiting: after a while callers are refused at once until it recovers', async () => {
    const deadlines = { ...DEADLINES, silentAfterMs: 200 }
    const frozen = openPostgres(url, { poolSize: 1, deadlines })
    const pid = await pidOf(frozen)
    process.kill(pid, 'SIGSTOP')
    try {
      const failure = failureOf(frozen.db.one(sql`select 1`))
      expect(await failureOf(frozen.db.one(sql`select 1`))).toMatchObject({ isSilence: true })
      expect(await failureOf(frozen.db.one(sql`select 1`))).toMatchObject({ isSilence: true })
      expect(await failureOf(frozen.db.one(sql`select 1`))).toMatchObject({
        message: expect.stringMatching('given time'),
      })
      process.kill(pid, 'SIGCONT')
      expect(await failure).toEqual({ '?column?': 1 })
    } finally {
      process.kill(pid, 'SIGCONT')
    }
    await expectToWork(frozen)
    await frozen.close()
  })

  test('in the middle of a transaction fails only that transaction', async () => {
    const frozen = openPostgres(url, { poolSize: 1, deadlines: { ...DEADLINES, answerMs: 200 } })
    let pid = 0
    const failure = failureOf(
      frozen.db.transaction(async (db) => {
        pid = (await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)).pid
        process.kill(pid, 'SIGSTOP')
        await db.run(sql`update thing set n = n + 1`)
      }),
    )
    expect(await failure).toMatchObject({ isSilence: true })
    process.kill(pid, 'SIGCONT')
    await expectToWork(frozen)
    await frozen.close()
  })
})

describe('the server ends', () => {
  test.each([
    ['a statement that takes too long', { statementMs: 1_000 }, '57014'],
    ['the wait for a lock', { lockMs: 1_000 }, '55P03'],
    ['a transaction whose client does nothing', { idleInTransactionMs: 1_000 }, '25P03'],
  ])('%s', async (_, limits, code) => {
    const limited = openPostgres(url, { deadlines: { ...DEADLINES, ...limits } })
    await holder.query('begin')
    await holder.query('select from thing for update')
    const work: Record<string, () => Promise<unknown>> = {
      57014: () => limited.db.one(sql`select pg_sleep(60)`),
      '55P03': () => limited.db.transaction((db) => db.run(sql`update thing set n = n + 1`)),
      '25P03': () =>
        limited.db.transaction(async (db) => {
          const { pid } = await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
          await vi.waitFor(async () => {
            const { rows } = await admin.query('select from pg_stat_activity where pid = $1', [pid])
            expect(rows).toEqual([])
          }, SOON)
          await db.one(sql`select 1`)
        }),
    }
    const failure = await failureOf(work[code]?.() ?? Promise.reject(new Error('no such case')))
    await holder.query('rollback')
    expect(failure).toBeInstanceOf(DatabaseAway)
    if (code !== '25P03') expect(failure).toMatchObject({ code })
    await expectToWork(limited)
    await limited.close()
  })

  test('work that no caller waits for much later', async () => {
    const limited = openPostgres(url, { deadlines: { ...DEADLINES, statementMs: 1_000, answerMs: 1_200 } })
    expect(await failureOf(limited.db.one(sql`select pg_sleep(1.5)`))).toBeInstanceOf(DatabaseAway)
    expect(await withLongTimeouts(limited.db).one(sql`select pg_sleep(1.5), 1 as done`)).toMatchObject({ done: 1 })
    expect(await failureOf(limited.db.one(sql`select pg_sleep(1.5)`))).toBeInstanceOf(DatabaseAway)
    await limited.close()
  })

  test('no migration, however long it takes', async () => {
    const limited = openPostgres(url, { poolSize: 1, deadlines: { ...DEADLINES, statementMs: 1_000, lockMs: 1_000 } })
    const folder = await migrationsWith('select pg_sleep(1.5)')
    await holder.query('select pg_advisory_lock(727665379)')
    const migrating = migrate(limited.pool, { folder })
    await findBackend(`query like '%pg_try_advisory_lock%' and now() - backend_start > interval '1500 ms'`)
    await holder.query('select pg_advisory_unlock(727665379)')
    expect(await migrating).toEqual(['9999_slow.sql'])
    await rm(folder, { recursive: true })
    expect(await failureOf(limited.db.one(sql`select pg_sleep(60)`))).toMatchObject({ code: '57014' })
    await limited.close()
  })
})
