import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countRowsRead } from '../../../test/rows-read.js'
import { rebuildFigures } from '../../../test/share-figures.js'
import { startServer } from '../../../test/start-server.js'
import type { Db } from '../../foundation/db/db.js'
import { addCosts, type PairMove } from './costs.js'
import { statesQuery, tradedQuery } from './portfolio.js'

const server = await startServer()
afterAll(() => server.stop())
const { db } = server.deps

const subject = `0x${'a'.repeat(40)}`
const FEW = { wallet: `0x${'1'.repeat(40)}`, subject }
const MANY = { wallet: `0x${'2'.repeat(40)}`, subject }

/** Stores buys of two shares and sales of one in turn. */
async function trade(wallet: string, trades: number, from: number): Promise<void> {
  await db.run(sql`
    insert into trade (transaction_hash, log_index, position, id, at, trader, subject, is_buy, amount, price_wei,
      protocol_fee_wei, subject_fee_wei, supply, balance)
    select decode(md5(n::text), 'hex'), 0, n, gen_random_uuid(), timestamptz '2026-01-01' + n * interval '1 minute', ${wallet},
      ${subject}, n % 2 = 0, case when n % 2 = 0 then 2 else 1 end, n * 1000003::bigint, 7, 11, 1000, 0
    from generate_series(${from}::int, ${from + trades - 1}::int) n`)
}

beforeAll(async () => {
  const { alice } = await server.seed.agents('alice')
  await db.run(sql`update agent set subject = ${subject} where id = ${alice.id}`)
  await trade(MANY.wallet, 4_000, 0)
  await trade(FEW.wallet, 40, 4_000)
  await db.transaction((db) => addCosts(db, [FEW, MANY]))
  await server.deps.database.pool.query('analyze')
})

test('a portfolio and its history read as many rows after 4,000 trades as after 40', async () => {
  const times = Array.from({ length: 97 }, (_, i) => new Date(Date.UTC(2026, 0, 2 + i)))
  const rows = async (wallet: string) => [
    await countRowsRead(db, tradedQuery(wallet), 'trade'),
    await countRowsRead(db, tradedQuery(wallet), 'share_'),
    await countRowsRead(db, statesQuery(wallet, [{ subject }], times), 'share_cost'),
    await countRowsRead(db, statesQuery(wallet, [{ subject }], times), 'trade'),
  ]
  const few = await rows(FEW.wallet)
  const many = await rows(MANY.wallet)
  // At most two for each point.
  expect(Math.max(...few, ...many)).toBeLessThanOrEqual(2 * times.length)
  expect(many.slice(0, 2)).toEqual(few.slice(0, 2))
})

test('a trade after 4,000 others reads no more rows than one after 40, and its cost is that of a full replay', async () => {
  /** Counts the rows that a buy and a sale read. */
  async function countRows(pair: typeof FEW, from: number): Promise<number> {
    let rows = 0
    await trade(pair.wallet, 2, from)
    await db.transaction(async (db) => {
      const counting: Db = {
        ...db,
        async many(query) {
          const found = await db.many(query)
          rows += found.length
          return found as never
        },
      }
      await addCosts(counting, [pair])
    })
    return rows
  }
  const few = await countRows(FEW, 5_000)
  expect(await countRows(MANY, 5_100)).toBeLessThanOrEqual(few + 1)
  await requireReplayed()
})

// A process of a release that kept no costs may have applied blocks in between.
test('trades at hand come after stored ones that have no costs yet', async () => {
  const from = 6_010
  await trade(FEW.wallet, 4, from - 10)
  await trade(FEW.wallet, 4, from)
  const moves = Array.from({ length: 4 }, (_, i): PairMove => {
    const position = BigInt(from + i)
    const at = new Date(Date.UTC(2026, 0, 1) + (from + i) * 60_000)
    return i % 2 === 0
      ? { position, at, kind: 'bought', amount: 2, paidWei: position * 1_000_003n + 18n }
      : { position, at, kind: 'sold', amount: 1, paidWei: position * 1_000_003n - 18n }
  })
  await db.transaction((db) => addCosts(db, [MANY, FEW], { from, byPair: new Map([[1, moves]]) }))
  await requireReplayed()
})

/** Fails unless all stored costs are those of a full replay. */
async function requireReplayed(): Promise<void> {
  const { rows: stored } = await server.deps.database.pool.query(
    `select wallet, position::int as position, amount, cost_wei::text as cost_wei, realised_wei::text as realised_wei
     from share_cost order by position, wallet`,
  )
  const replayed = (await rebuildFigures(db)).costs as typeof stored
  expect(stored).toEqual(
    replayed.map(({ wallet, position, amount, cost_wei, realised_wei }) => ({
      wallet,
      position,
      amount,
      cost_wei,
      realised_wei,
    })),
  )
}
