import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Action, createFakeChain } from '../../../test/fake-chain.js'
import { countRowsRead } from '../../../test/rows-read.js'
import { expectCharts, INTERVALS } from '../../../test/share-charts.js'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { MIGRATIONS } from '../../foundation/db/migrations.js'
import type { Position } from '../../foundation/jobs/backfill.js'
import { createShareFollower } from '../../start/share-follower.js'
import { shareBackfills } from './backfills.js'
import { keepCandles } from './candles.js'
import { listCandles, listHolderPoints } from './chart.js'

const server = await startServer()
afterAll(() => server.stop())
const { db, database } = server.deps

const FEW: `0x${string}` = `0x${'1'.repeat(40)}`
const MANY: `0x${string}` = `0x${'2'.repeat(40)}`
const START = Date.UTC(2026, 0, 5)
const MINUTE_MS = 60_000
const DAYS = 100

/** Stores buys of a share at these minutes after the start. */
async function trade(subject: string, minutes: readonly number[], supply = 0): Promise<void> {
  const times = minutes.map((minute) => new Date(START + minute * MINUTE_MS))
  const digit = subject.slice(-1)
  await db.run(sql`
    insert into trade (transaction_hash, log_index, position, id, at, trader, subject, is_buy, amount, price_wei,
      protocol_fee_wei, subject_fee_wei, supply, balance)
    select decode(md5(${digit} || n), 'hex'), 0, ${digit}::bigint * 1000000000000000 + n, gen_random_uuid(), at, ${subject}, ${subject}, true, 1,
      n * 1000000007, 7, 11, n, n
    from (select at, i + ${supply} as n from unnest(${times}::timestamptz[]) with ordinality as input (at, i)) input`)
}

/** Counts the rows that an action reads, and those of them that are trades. */
async function countRows(action: (db: Db) => Promise<unknown>): Promise<{ all: number; trades: number }> {
  const rows = { all: 0, trades: 0 }
  await db.transaction((db) =>
    action({
      ...db,
      async run(statement) {
        rows.all += await countRowsRead(db, statement, '')
        return 0
      },
      async many(statement) {
        rows.all += await countRowsRead(db, statement, '')
        rows.trades += await countRowsRead(db, statement, 'trade')
        return (await db.many(statement)) as never
      },
    }),
  )
  return rows
}

const eventAt = (subject: `0x${string}`, minute: number) => ({ subject, time: (START + minute * MINUTE_MS) / 1000 })

beforeAll(async () => {
  const days = Array.from({ length: DAYS }, (_, day) => day * 1_440)
  await trade(FEW, days)
  // On the same days, in 25 minutes of four hours, two at once.
  const minutes = Array.from({ length: 100 }, (_, i) => Math.floor(i / 25) * 60 + (i % 25))
  await trade(
    MANY,
    days.flatMap((day) => minutes.flatMap((minute) => [day + minute, day + minute])),
  )
  await keepCandles(db, [eventAt(FEW, 0), eventAt(MANY, 0)])
  await database.pool.query('analyze')
})

test.each(INTERVALS)('a chart of %s reads rows for its points, not for its trades', async (interval) => {
  const mostPerPoint = { '1m': 1, '5m': 5, '15m': 15, '1h': 1, '4h': 4, '1d': 1, '1w': 7 }[interval]
  for (const subject of [FEW, MANY])
    for (const list of [listCandles, listHolderPoints]) {
      let points = 0
      const { all, trades } = await countRows(async (db) => {
        points = (await list(db, subject, { interval })).length
      })
      expect(points).toBeGreaterThan(5)
      expect(all).toBeLessThanOrEqual((points + 2) * mostPerPoint)
      expect(trades).toBe(0)
    }
  await expectCharts(db, MANY, { interval })
})

test('a chart that begins or ends within a step reads only that step more closely', async () => {
  const since = new Date(START + 20.4 * 1_440 * MINUTE_MS).toISOString()
  const until = new Date(START + (33 * 1_440 + 2 * 60 + 10.5) * MINUTE_MS).toISOString()
  const { all, trades } = await countRows((db) => listCandles(db, MANY, { interval: '1w', since, until }))
  // Beside these trades the days of three weeks, the hours of a day and the minutes of an hour.
  expect(all).toBeLessThanOrEqual(3 * 7 + 24 + 60)
  expect(trades).toBe(2)
  const points = await countRows((db) => listHolderPoints(db, MANY, { interval: '1d', since, until }))
  expect(points.trades).toBe(0)
  expect(points.all).toBeLessThanOrEqual(16)
})

test('a trade after 20,000 others reads no more rows than one after 100', async () => {
  const minute = DAYS * 1_440
  await trade(FEW, [minute], DAYS)
  await trade(MANY, [minute], DAYS * 200)
  const few = await countRows((db) => keepCandles(db, [eventAt(FEW, minute)]))
  const many = await countRows((db) => keepCandles(db, [eventAt(MANY, minute)]))
  expect(many).toEqual(few)
  expect(many.all).toBeLessThan(10)
})

test('charts of any span are what all trades and transfers amount to', async () => {
  const wallet = (i: number, j: number) => (i * 7 + j * 3) % 5
  const actions = (block: number): Action[] => [
    { do: 'buy', agent: block % 2, wallet: wallet(block, 1), amount: 1 + (block % 3) },
    { do: 'sell', agent: block % 2, wallet: wallet(block, 2), amount: 1 + (block % 2) },
    { do: 'transfer', agent: 1, wallet: wallet(block, 3), to: wallet(block, 4), amount: 1 },
  ]
  const chain = createFakeChain({ startsAt: START / 1000, secondsPerBlock: 613 })
  chain.mine([0, 1].map((agent) => ({ do: 'launch', agent, amount: 2 })))
  for (let block = 0; block < 1_500; block++) chain.mine(block % 11 < 6 ? actions(block).slice(block % 4) : [])
  const follower = createShareFollower(server.deps, { chain, sleep: { for: async () => {}, wake: () => {} } })
  await follower.catchUp()
  await follower.stop()
  const times = [undefined, 0, 4_000, 9_999.5, 10_080, 15_000.7, 99_999].map(
    (minute) => minute && new Date(START + minute * MINUTE_MS).toISOString(),
  )
  for (const { subject } of chain.agents.slice(0, 2))
    for (const interval of INTERVALS)
      for (const since of times)
        for (const until of times)
          await expectCharts(db, subject, { interval, ...(since && { since }), ...(until && { until }) })
})

test('trades that an earlier release has stored get the same candles', async () => {
  const candles = () => db.many(sql`select * from share_candle order by subject, minutes, start_at`)
  const kept = await candles()
  expect(kept.length).toBeGreaterThan(DAYS * 100)
  await db.run(sql`delete from share_candle`)
  const migration = readFileSync(join(MIGRATIONS, '0246_share_candles.sql'), 'utf8')
  await database.pool.query(migration.slice(migration.indexOf('insert into')))
  expect(await candles()).toEqual(kept)
})

test('trades that an older version stores beside this one get their candles and costs in the background', async () => {
  const candles = () => db.many(sql`select * from share_candle order by subject, minutes, start_at`)
  const costs = () => db.many(sql`select * from share_cost order by wallet, subject, position`)
  await runBackfills()
  const [keptCandles, keptCosts] = [await candles(), await costs()]
  // That version follows the chain for a while, and stores what it knows.
  const { at } = await db.one<{ at: Date }>(
    sql`select percentile_disc(0.8) within group (order by at) as at from trade`,
  )
  await db.run(sql`delete from share_candle where last_at >= ${at}`)
  await db.run(sql`delete from share_cost where position >= (select min(position) from trade where trade.at >= ${at})`)
  expect((await candles()).length).toBeLessThan(keptCandles.length)
  expect((await costs()).length).toBeLessThan(keptCosts.length)
  await runBackfills()
  expect(await candles()).toEqual(keptCandles)
  expect(await costs()).toEqual(keptCosts)
})

async function runBackfills(): Promise<void> {
  for (const { count, step } of shareBackfills) {
    expect(await count(db)).toBeGreaterThan(0)
    const next = (from?: Position) => db.transaction((db) => step(db, from))
    for (let done = await next(); done; done = await next(done.position)) {}
  }
}
