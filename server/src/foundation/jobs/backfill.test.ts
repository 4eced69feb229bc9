import sql from 'sql-template-tag'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { startServer } from '../../../test/start-server.js'
import { type Backfill, backfillJobs, countBackfillLeft, listBackfills, scheduleBackfills } from './backfill.js'
import { createQueue } from './queue.js'
import { createWorker, type JobHandlers } from './worker.js'

const clock = createTestClock()
const server = await startServer({ replace: { clock } })
afterAll(() => server.stop())
const { db, ids } = server.deps
const { pool } = server.deps.database
await pool.query('create table thing (id integer primary key, colour text)')

const MINUTE_MS = 60_000
const AT_ONCE = 10
const logged: unknown[] = []
const log = { info: (...words: unknown[]) => void logged.push(words) }

/** Gives each thing a colour; `onStep` is told after each batch. */
function colours({ repeats = false, onStep = () => {} }: { repeats?: boolean; onStep?: () => void } = {}): Backfill {
  return {
    name: 'colours',
    repeats,
    count: async (db) => (await db.one<{ n: number }>(sql`select count(*)::int as n from thing`)).n,
    async step(db, position) {
      const rows = await db.many<{ id: number }>(sql`
        update thing set colour = coalesce(colour, 'red') where id in (
          select id from thing where id > ${Number(position?.after ?? 0)} order by id limit ${AT_ONCE})
        returning id`)
      if (rows.length === 0) return undefined
      onStep()
      return { position: { after: Math.max(...rows.map(({ id }) => id)) }, done: rows.length }
    },
  }
}

/** A worker that knows these backfills and no other job. */
function workerWith(...backfills: Backfill[]) {
  const handlers = backfillJobs({ db, clock, log }, backfills) as unknown as JobHandlers
  return createWorker({
    db,
    clock,
    queue,
    handlers,
    lanes: 1,
    isAlone: true,
    onError: (_, error) => void failures.push(error),
  })
}

const queue = createQueue({ clock, ids })
let failures: Error[]
const uncoloured = async () =>
  (await db.one<{ n: number }>(sql`select count(*)::int as n from thing where colour is null`)).n

beforeEach(async () => {
  failures = []
  logged.length = 0
  await db.run(sql`delete from job`)
  await db.run(sql`delete from backfill`)
  await db.run(sql`delete from thing`)
  await db.run(sql`insert into thing (id) select * from generate_series(1, 95)`)
})

describe('a backfill', () => {
  test('goes over all rows batch by batch, and is done once', async () => {
    let steps = 0
    const seen = colours({ onStep: () => steps++ })
    await scheduleBackfills({ db, queue }, [seen])
    await scheduleBackfills({ db, queue }, [seen])
    expect(await workerWith(seen).drain()).toBe(1)
    expect(await uncoloured()).toBe(0)
    expect(steps).toBe(10)
    expect(await countBackfillLeft(db)).toBe(0)
    expect(await listBackfills(db)).toMatchObject([
      { name: 'colours', done: 95n, total: 95n, passes: 1, finished_at: expect.any(Date) },
    ])
    expect(logged).toEqual([[{ name: 'colours', done: 95, pass: 1 }, 'a backfill is done']])
    await scheduleBackfills({ db, queue }, [seen])
    expect(await workerWith(seen).drain()).toBe(0)
  })

  test('continues where it stopped, even where a batch failed', async () => {
    let steps = 0
    const broken = colours({
      onStep() {
        if (++steps === 4) throw new Error('the machine broke down')
      },
    })
    await scheduleBackfills({ db, queue }, [broken])
    await workerWith(broken).drain()
    expect(failures.map(({ message }) => message)).toEqual(['the machine broke down'])
    expect(await uncoloured()).toBe(95 - 3 * AT_ONCE)
    expect(await countBackfillLeft(db)).toBe(95 - 3 * AT_ONCE)
    clock.advance(MINUTE_MS)
    await workerWith(broken).drain()
    expect(await uncoloured()).toBe(0)
    expect(steps).toBe(4 + 7)
  })

  test('of a newer version waits for a worker that knows it', async () => {
    const newer = colours()
    await scheduleBackfills({ db, queue }, [newer])
    await workerWith().drain()
    expect(await uncoloured()).toBe(95)
    clock.advance(MINUTE_MS)
    await workerWith(newer).drain()
    expect(await uncoloured()).toBe(0)
    expect(failures).toEqual([])
  })

  test('goes over everything again where older versions may still store such rows, until those are gone', async () => {
    const repeated = colours({ repeats: true })
    await scheduleBackfills({ db, queue }, [repeated])
    await workerWith(repeated).drain()
    await db.run(sql`insert into thing (id) values (96)`)
    await workerWith(repeated).drain()
    expect(await uncoloured()).toBe(1)
    expect(await countBackfillLeft(db)).toBe(0)
    clock.advance(MINUTE_MS)
    await workerWith(repeated).drain()
    expect(await uncoloured()).toBe(0)
    for (let pass = 2; pass < 12; pass++) {
      expect(await listBackfills(db)).toMatchObject([{ passes: pass, finished_at: null }])
      clock.advance(MINUTE_MS * 2 ** (pass - 1))
      await workerWith(repeated).drain()
    }
    expect(await listBackfills(db)).toMatchObject([{ passes: 12, finished_at: expect.any(Date) }])
    expect((await db.one<{ n: number }>(sql`select count(*)::int as n from job`)).n).toBe(0)
  })
})
