import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { ConfigError } from '../../base/config-error.js'
import { pgCode, violatedConstraint } from './db.js'
import { lockDataDir } from './lock.js'
import { migrate, requireMigrated } from './migrate.js'
import { MIGRATIONS } from './migrations.js'

const server = await startServer()
const { db } = server.deps
afterAll(() => server.stop())

await db.run(sql`create table thing (id integer primary key, n integer not null)`)
await db.run(sql`insert into thing values (1, 0), (2, 0)`)

const fail = <T>(work: Promise<T>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('the database', () => {
  test('continues after a failed statement, named or not', async () => {
    for (let round = 0; round < 3; round++) {
      const error = await fail(db.run(sql`insert into thing values (${1}, 0)`))
      expect([pgCode(error), violatedConstraint(error)]).toEqual(['23505', 'thing_pkey'])
      expect((await db.one<{ n: number }>(sql`select n from thing where id = ${1}`)).n).toBe(0)
      expect(pgCode(await fail(db.run(sql`select 1 / 0`)))).toBe('22012')
    }
  })

  test('rolls back a transaction that fails, and runs afterCommit only when it commits', async () => {
    const ran: string[] = []
    await fail(
      db.transaction(async (db) => {
        db.afterCommit(() => ran.push('lost'))
        await db.run(sql`update thing set n = 99 where id = 1`)
        throw new Error('no')
      }),
    )
    expect((await db.one<{ n: number }>(sql`select n from thing where id = 1`)).n).toBe(0)
    await db.transaction(async (db) => db.afterCommit(() => ran.push('kept')))
    expect(ran).toEqual(['kept'])
  })

  test('repeats transactions that lose a deadlock', async () => {
    const add = (first: number, second: number) =>
      db.transaction(async (db) => {
        await db.run(sql`update thing set n = n + 1 where id = ${first}`)
        await db.run(sql`select pg_sleep(0.01)`)
        await db.run(sql`update thing set n = n + 1 where id = ${second}`)
      })
    await Promise.all([add(1, 2), add(2, 1), add(1, 2), add(2, 1)])
    const rows = await db.many<{ n: number }>(sql`select n from thing order by id`)
    expect(rows.map((row) => row.n)).toEqual([4, 4])
  })

  test('returns 64-bit integers exactly', async () => {
    expect((await db.one<{ big: bigint }>(sql`select 9007199254740993::int8 as big`)).big).toBe(9007199254740993n)
  })
})

describe('migrations', () => {
  const { pool } = server.deps.database
  let folder: string
  const add = (name: string, text: string) => writeFile(join(folder, name), text)

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rookery-migrations-'))
    await cp(MIGRATIONS, folder, { recursive: true })
  })

  afterEach(async () => {
    await db.run(sql`delete from migration where name like '9%'`)
    await rm(folder, { recursive: true })
  })

  test('are applied in order, once, even by several processes at a time; a changed one is refused', async () => {
    await add('9001_first.sql', 'create table m_first (id integer);')
    await add('9002_second.sql', 'create table m_second (id integer); insert into m_second values (1);')
    const applied = await Promise.all([migrate(pool, { folder }), migrate(pool, { folder }), migrate(pool, { folder })])
    expect(applied.flat()).toEqual(['9001_first.sql', '9002_second.sql'])
    await add('9003_broken.sql', 'create table m_third (id integer); select nonsense;')
    expect(String(await fail(migrate(pool, { folder })))).toContain('9003_broken.sql failed')
    expect(pgCode(await fail(db.run(sql`select * from m_third`)))).toBe('42P01')
    await add('9003_broken.sql', 'create table m_third (id integer);')
    await add('9001_first.sql', 'create table m_first (id bigint);')
    expect(String(await fail(migrate(pool, { folder })))).toContain('9001_first.sql was changed')
  })

  test('of a newer version stop an older one from starting, which says so and changes nothing', async () => {
    for (const number of [4, 5, 6, 7])
      await add(`900${number}_later.sql`, `create table m_later_${number} (id integer);`)
    await migrate(pool, { folder })
    await rm(folder, { recursive: true })
    await cp(MIGRATIONS, folder, { recursive: true })
    await add('9008_own.sql', 'create table m_own (id integer);')
    const refusal = await fail(migrate(pool, { folder }))
    expect(refusal).toBeInstanceOf(ConfigError)
    expect((refusal as Error).message).toBe(
      'The database was made by a newer version, whose migrations this one does not know ' +
        '(9004_later.sql, 9005_later.sql, 9006_later.sql and 1 more): ' +
        'install that version, or restore a backup from before the upgrade.',
    )
    expect(pgCode(await fail(db.run(sql`select * from m_own`)))).toBe('42P01')
  })

  test('of a newer version do not stop an older one that they declare fit to run beside them', async () => {
    await add('9004_table.sql', '-- @beside 0.2.0\ncreate table m_beside (id integer);')
    await add(
      '9005_index.sql',
      '-- @concurrently\n-- @beside 0.1.5\ncreate index concurrently m_beside_id on m_beside (id);',
    )
    await migrate(pool, { folder })
    expect(await migrate(pool, { version: '0.2.0' })).toEqual([])
    expect(String(await fail(migrate(pool, { version: '0.1.9' })))).toContain('does not know (9004_table.sql)')
  })

  test('outside a transaction are repeatable, and make an index anew that is not valid', async () => {
    const text = '-- @concurrently\ncreate index concurrently m_mended_id on m_mended (id);'
    await add('9006_table.sql', 'create table m_mended (id integer);')
    await migrate(pool, { folder })
    await add('9007_index.sql', text)
    // What a process leaves behind that was killed while the index was made.
    await db.run(sql`create index m_mended_id on m_mended (id)`)
    await db.run(sql`update pg_index set indisvalid = false where indexrelid = 'm_mended_id'::regclass`)
    expect(await migrate(pool, { folder })).toEqual(['9007_index.sql'])
    const isValid = sql`select indisvalid as yes from pg_index where indexrelid = 'm_mended_id'::regclass`
    expect(await db.one(isValid)).toEqual({ yes: true })
    await db.run(sql`delete from migration where name = '9007_index.sql'`)
    expect(await migrate(pool, { folder })).toEqual(['9007_index.sql'])
  })

  test('are not applied by a start that is told so, which names what the database lacks', async () => {
    await requireMigrated(pool, { folder })
    await add('9008_table.sql', 'create table m_required (id integer);')
    expect(await fail(requireMigrated(pool, { folder }))).toEqual(
      new ConfigError(
        'The database lacks 1 migrations of this version (9008_table.sql), and MIGRATE is never: run rookery-operate migrate first.',
      ),
    )
    expect(pgCode(await fail(db.run(sql`select * from m_required`)))).toBe('42P01')
  })

  test('of a newer version do not stop an instance that is already running', async () => {
    await add('9009_later.sql', 'create table m_newest (id integer);')
    const { early } = await server.seed.agents('early')
    await migrate(pool, { folder })
    expect(await early.client.createTweet({ content: 'still here' })).toMatchObject({ content: 'still here' })
  })
})

describe('a data folder', () => {
  test('is locked by one process, and free again when that ends', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'rookery-lock-'))
    const lock = await lockDataDir(folder)
    expect(String(await fail(lockDataDir(folder)))).toContain('is in use by another process')
    await lock.close()
    await (await lockDataDir(folder)).close()
    const deep = join(folder, 'x'.repeat(120))
    await (await lockDataDir(deep)).close()
    await rm(folder, { recursive: true })
  })
})
