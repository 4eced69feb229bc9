import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { openPostgres } from './connect.js'
import { migrate } from './migrate.js'

// Migrations under sessions that hold locks, on a database that has nothing else in it.

const prepared = await createTestDatabase({ isEmpty: true })
const url = prepared.env.DATABASE_URL ?? ''
const { pool, close } = openPostgres(url)
const holder = await connect()
const member = await connect()
const folder = await mkdtemp(join(tmpdir(), 'rookery-migrations-'))
afterAll(async () => {
  await Promise.all([holder.end(), member.end(), close()])
  await prepared.remove()
  await rm(folder, { recursive: true })
})

let warnings: string[]
const log = { warn: (text: unknown) => void warnings.push(String(text)) }
const SOON = { timeout: 20_000, interval: 20 }
const fail = (work: Promise<unknown>) => work.catch((error: unknown) => error)

beforeEach(async () => {
  warnings = []
  await pool.query('drop table if exists migration, thing; create table thing (id integer, n integer)')
  await pool.query('insert into thing select n, n from generate_series(1, 100) n')
})
afterEach(async () => {
  await holder.query('rollback')
  await rm(join(folder, '0001_change.sql'))
})

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: url, application_name: 'member' })
  client.on('error', () => {})
  await client.connect()
  // The server cancels what waits longer than that for a lock, whatever else the machine does.
  await client.query(`set lock_timeout = '1s'`)
  return client
}

const add = (text: string) => writeFile(join(folder, '0001_change.sql'), text)
const pidOf = async (client: Client) => (await client.query('select pg_backend_pid() as pid')).rows[0].pid as number
const columns = async () => (await pool.query('select * from thing limit 0')).fields.map(({ name }) => name)

describe('a migration that has to wait for a lock', () => {
  test('lets everybody else pass meanwhile, names who holds it, and is applied when it is free', async () => {
    await add('alter table thing add column colour text;')
    await holder.query('begin; select from thing')
    const migrating = migrate(pool, { folder, log })
    // Readers and writers come all the time while it tries; one that had to wait for a second would fail.
    while (warnings.length < 3) {
      await member.query('select count(*) from thing')
      await member.query('update thing set n = n + 1 where id = 1')
    }
    const pid = await pidOf(holder)
    expect(warnings[0]).toMatch(
      new RegExp(
        `^Migration 0001_change\\.sql waits for a lock that session ${pid} \\(member as .*, idle in transaction, its transaction \\d+ s old\\) holds\\.`,
      ),
    )
    expect(await columns()).toEqual(['id', 'n'])
    await holder.query('commit')
    expect(await migrating).toEqual(['0001_change.sql'])
    expect(await columns()).toEqual(['id', 'n', 'colour'])
  })

  test('gives up in the end, says for whom it waited, and has changed nothing', async () => {
    await add('create table m_before (id integer); alter table thing add column colour text;')
    await holder.query('begin; select from thing')
    const refusal = await fail(migrate(pool, { folder, log, patienceMs: 0 }))
    expect(String(refusal)).toMatch(/waits for a lock that session \d+ .* holds\. It gave up; end that session/)
    expect((await pool.query(`select to_regclass('m_before') as made`)).rows).toEqual([{ made: null }])
    expect((await pool.query('select * from migration')).rows).toEqual([])
  })
})

describe('an index that is made concurrently', () => {
  const text = '-- @concurrently\ncreate index concurrently thing_n on thing (n);'
  const isValid = async () =>
    (await pool.query(`select indisvalid as yes from pg_index where indexrelid = to_regclass('thing_n')`)).rows[0]?.yes
  // It waits for transactions that are older.
  const findMigrator = () =>
    vi.waitFor(async () => {
      const { rows } = await pool.query(
        `select pid from pg_stat_activity where query like 'create index concurrently%' and wait_event_type = 'Lock'`,
      )
      return rows[0].pid as number
    }, SOON)

  test('lets writers write while it waits, and is finished by the next process when the first is killed', async () => {
    await add(text)
    await holder.query('begin isolation level repeatable read; select from thing')
    const killed = fail(migrate(pool, { folder, log }))
    const pid = await findMigrator()
    await member.query('update thing set n = n + 1 where id = 1')
    await holder.query('select pg_terminate_backend($1)', [pid])
    expect(await killed).toBeInstanceOf(Error)
    expect(await isValid()).toBe(false)
    await holder.query('commit')
    expect(await migrate(pool, { folder, log })).toEqual(['0001_change.sql'])
    expect(await isValid()).toBe(true)
  })

  test('that waits for a session says for whom, and so does a process that waits for another', async () => {
    await add(text)
    await holder.query('begin isolation level repeatable read; select from thing')
    const migrations = [1, 2].map(() => migrate(pool, { folder, log, tellAfterMs: 0 }))
    const migrator = await findMigrator()
    const [waits, other] = [
      `0001_change\\.sql waits until session ${await pidOf(holder)} \\(member as`,
      `session ${migrator} `,
    ]
    await vi.waitFor(() => {
      expect(warnings).toContainEqual(expect.stringMatching(new RegExp(waits)))
      expect(warnings).toContainEqual(expect.stringContaining(`Another process applies migrations: ${other}`))
    }, SOON)
    await holder.query('commit')
    expect((await Promise.all(migrations)).flat()).toEqual(['0001_change.sql'])
    expect(warnings).toHaveLength(2)
  })

  test('is made once when several instances start at a time', async () => {
    await add(text)
    const applied = await Promise.all([1, 2, 3].map(() => migrate(pool, { folder, log })))
    expect(applied.flat()).toEqual(['0001_change.sql'])
    expect(await isValid()).toBe(true)
    expect(warnings).toEqual([])
  })
})
