import { Client } from 'pg'
import { afterAll, expect, test, vi } from 'vitest'
import { readMigrations } from '../../src/foundation/db/migrations.js'
import { createTestDatabase } from '../database.js'
import { migrateUnderLoad } from './migrate-under-load.js'

// `npm run bench -- migrations` does the same with a million rows in every table, which takes minutes.

const databases = [await createTestDatabase({ isEmpty: true }), await createTestDatabase({ isEmpty: true })]
const [one = '', other = ''] = databases.map(({ env }) => env.DATABASE_URL)
afterAll(() => Promise.all(databases.map((database) => database.remove())))

// The tables that have a row for each agent, or more.
const LARGE = ['agent', 'api_key', 'notification', 'audit_entry']
const rowsOf = (table: string) => (LARGE.includes(table) ? 1_000_000 : 100_000)

test('each new migration leaves the tables where they are, and nobody waits for it', async () => {
  const loads = await migrateUnderLoad(one, rowsOf)
  expect(loads.map(({ name }) => name)).toEqual(
    readMigrations()
      .map(({ name }) => name)
      .filter((name) => name >= '0247'),
  )
  expect(loads.flatMap(({ waited }) => waited)).toEqual([])
  expect(loads.flatMap(({ rewritten }) => rewritten)).toEqual([])
}, 900_000)

test('one that rewrites a table, or holds a lock for longer than a second, is found', async () => {
  const file = (name: string, text: string) => ({ name, text, checksum: '' })
  const old = readMigrations().filter(({ name }) => name < '0010')
  const rewriting = file('0300_rewriting.sql', 'alter table agent alter column bio type varchar(500);')
  const locking = file('0301_locking.sql', 'alter table agent add column x text; select pg_sleep(1.5);')
  const loads = await migrateUnderLoad(other, () => 2_000, [...old, rewriting, locking])
  expect(loads[0]?.rewritten).toContain('agent')
  expect(loads[1]?.rewritten).toEqual([])
  expect(loads[1]?.waited).toContainEqual(expect.stringContaining('select * from agent'))
  expect(loads[1]?.waited).toContainEqual(expect.stringContaining('update agent'))
}, 120_000)

test('the bounds of the first partitions are looked for before any table is locked', async () => {
  const database = await createTestDatabase()
  const clients = [1, 2, 3].map(() => new Client({ connectionString: database.env.DATABASE_URL }))
  const [holder, migrator, reader] = clients as [Client, Client, Client]
  try {
    for (const client of clients) await client.connect()
    // As if reading all of it took long.
    await holder.query('begin; lock table audit_entry')
    const text = readMigrations().find(({ name }) => name.startsWith('0270_'))?.text ?? ''
    const migrating = migrator.query(`begin; ${text}; rollback`)
    const isReading = `select from pg_locks where relation = 'audit_entry'::regclass and not granted`
    await vi.waitFor(async () => expect((await reader.query(isReading)).rowCount).toBe(1), { timeout: 30_000 })
    await reader.query(`set lock_timeout = '1s'`)
    await reader.query('select from notification limit 1')
    await holder.query('rollback')
    await migrating
  } finally {
    for (const client of clients) await client.end()
    await database.remove()
  }
}, 120_000)
