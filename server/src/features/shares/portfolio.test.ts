import { quoteBuy, quoteSell } from '@rookery/contracts'
import sql from 'sql-template-tag'
import { formatEther, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { readShareState, rebuildFigures } from '../../../test/share-figures.js'
import { type ShareMarket, startShareMarket } from '../../../test/share-market.js'
import { collectStatements } from '../../../test/statements/record.js'

const HOUR_MS = 3_600_000
const RANGES = ['24h', '7d', '30d', 'all'] as const

let market: ShareMarket
let alice: SeededAgent
let bob: SeededAgent
let carol: SeededAgent
/** What happened, oldest first: whose shares, the supply afterwards, and how many of them bob held. */
let events: readonly { subject: string; at: number; supply: number; held: number }[]

const anyone = () => market.server.client()
const address = () => bob.wallet.address.toLowerCase() as `0x${string}`
const sum = (amounts: readonly string[]) => amounts.reduce((total, bnb) => total + parseEther(bnb), 0n)

async function give(from: SeededAgent, to: SeededAgent, of: SeededAgent, amount: number): Promise<void> {
  const gift = { sharesSubject: of.subject, to: to.wallet.address, amount, walletAddress: from.wallet.address }
  await market.send(from.wallet, (await anyone().getShareTransfer(gift)).transaction)
  await market.follow()
}

/** Dates everything on the chain, oldest first, in hours before now. */
async function date(hoursAgo: readonly number[]): Promise<number[]> {
  const { db, clock } = market.server.deps
  const now = clock.now().getTime()
  const times = hoursAgo.map((hours) => new Date(now - hours * HOUR_MS))
  const rows = await db.many<{ position: string }>(sql`
    select position from trade union all select position from share_transfer order by position`)
  expect(rows).toHaveLength(times.length)
  for (const [i, { position }] of rows.entries())
    for (const table of [sql`trade`, sql`share_transfer`, sql`share_cost`])
      await db.run(sql`update ${table} set at = ${times[i]} where position = ${position}`)
  return times.map((time) => time.getTime())
}

beforeAll(async () => {
  market = await startShareMarket()
  ;({ alice, bob, carol } = await market.server.seed.agents('alice', 'bob', 'carol'))
  await market.fund(alice, bob, carol)
  await market.follow()
  await market.buy(alice, alice, 3)
  await market.buy(bob, alice, 4)
  await market.buy(carol, carol, 2)
  await market.buy(bob, carol, 3)
  await market.sell(bob, alice, 1)
  await give(alice, bob, alice, 1)
  await give(bob, carol, carol, 2)
  await market.buy(carol, alice, 5)
  await market.sell(bob, alice, 2)
  await market.sell(carol, alice, 1)
  const times = await date([900, 800, 700, 500, 160, 100, 50, 30, 20, 3])
  const [a, c] = [alice.subject, carol.subject]
  const told: [subject: string, supply: number, held: number][] = [
    [a, 3, 0],
    [a, 7, 4],
    [c, 2, 0],
    [c, 5, 3],
    [a, 6, 3],
    [a, 6, 4],
    [c, 5, 1],
    [a, 11, 4],
    [a, 9, 2],
    [a, 8, 2],
  ]
  events = told.map(([subject, supply, held], i) => ({ subject, supply, held, at: times[i] ?? 0 }))
})
afterAll(() => market.stop())

/** The value of bob’s shares at a time, by the curve of the contract. */
function valueAt(time: number): bigint {
  const last = (subject: string) => events.filter((event) => event.subject === subject && event.at <= time).at(-1)
  return [alice.subject, carol.subject].reduce((total, subject) => {
    const { supply = 0, held = 0 } = last(subject) ?? {}
    return held === 0 ? total : total + quoteSell(BigInt(supply), BigInt(held)).priceWei
  }, 0n)
}

describe('GET /v1/traders/{address}/portfolio', () => {
  test('adds up what the shares are worth, cost and earned, to the wei', async () => {
    const portfolio = await anyone().getPortfolio({ address: address() })
    const first = quoteBuy(3n, 4n).priceAfterFeeWei
    const second = quoteBuy(2n, 3n).priceAfterFeeWei
    // Of alice 4 bought, 1 sold, 1 received for nothing, 2 sold: 1 of the bought and the gift are left. Of carol 3, 2 given away.
    const rest = first - first / 4n
    const cost = rest - (rest * 2n) / 3n + (second - (second * 2n) / 3n)
    const realised =
      quoteSell(7n, 1n).priceAfterFeeWei - first / 4n + quoteSell(11n, 2n).priceAfterFeeWei - (rest * 2n) / 3n
    const value = quoteSell(8n, 2n).priceWei + quoteSell(5n, 1n).priceWei
    expect(portfolio).toMatchObject({
      address: address(),
      positions: 2,
      valueBNB: formatEther(value),
      costBasisBNB: formatEther(cost),
      realisedProfitBNB: formatEther(realised),
      openProfitBNB: formatEther(value - cost),
      profitBNB: formatEther(value - cost + realised),
      profitPercent: Number(((value - cost + realised) * 10_000n) / (first + second)) / 100,
    })
    // A day ago bob held two shares more of alice, at a higher price; since then it sold them.
    const before = quoteSell(11n, 4n).priceWei + quoteSell(5n, 1n).priceWei
    const change = value + quoteSell(11n, 2n).priceAfterFeeWei - before
    expect(portfolio.change24hBNB).toBe(formatEther(change))
    expect(portfolio.change24hPercent).toBe(Number((change * 10_000n) / before) / 100)
  })

  test('is the sum of the holdings, which say what one share cost and how its price moved', async () => {
    const { data } = await anyone().listHoldings({ address: address() })
    const portfolio = await anyone().getPortfolio({ address: address() })
    for (const name of ['valueBNB', 'costBasisBNB', 'openProfitBNB'] as const)
      expect(sum(data.map((holding) => holding[name]))).toBe(parseEther(portfolio[name]))
    expect(sum(data.map((holding) => holding.realisedProfitBNB))).toBe(parseEther(portfolio.realisedProfitBNB))
    const [ofAlice, ofCarol] = data
    expect(ofAlice?.averageCostBNB).toBe(formatEther(parseEther(ofAlice?.costBasisBNB ?? '') / 2n))
    expect(ofAlice?.change24hPercent).toBe(-47.1)
    expect(ofAlice?.recentPrices).toHaveLength(13)
    expect(new Set(ofAlice?.recentPrices)).toEqual(
      new Set([11n, 9n, 8n].map((supply) => formatEther(quoteBuy(supply, 1n).priceWei))),
    )
    expect(ofAlice?.recentPrices.at(-1)).toBe(ofAlice?.sharePriceBNB)
    expect(ofCarol?.change24hPercent).toBe(0)
  })

  test('is nothing for a wallet that never traded, and takes nothing but an address', async () => {
    const none = await anyone().getPortfolio({ address: `0x${'12'.repeat(20)}` })
    expect(none).toMatchObject({ positions: 0, valueBNB: '0', profitBNB: '0', profitPercent: null })
    expect(none.change24hPercent).toBeNull()
    expect(await refused(anyone().getPortfolio({ address: 'bob' as `0x${string}` }))).toBe('404 NOT_FOUND')
  })
})

describe('GET /v1/traders/{address}/portfolio/history', () => {
  test.each(RANGES)('gives the exact value at every point of %s, and ends with the present', async (range) => {
    const { points } = await anyone().getPortfolioHistory({ address: address(), range })
    const portfolio = await anyone().getPortfolio({ address: address() })
    expect(points.length).toBe(97)
    for (const { at, valueBNB } of points) expect([at, parseEther(valueBNB)]).toEqual([at, valueAt(Date.parse(at))])
    expect(points.at(-1)).toMatchObject({ valueBNB: portfolio.valueBNB, investedBNB: portfolio.costBasisBNB })
    const times = points.map(({ at }) => Date.parse(at))
    expect(times).toEqual([...times].sort((a, b) => a - b))
  })

  test('begins with the first share, or where the range begins', async () => {
    const history = async (range: (typeof RANGES)[number]) =>
      (await anyone().getPortfolioHistory({ address: address(), range })).points
    const start = async (range: (typeof RANGES)[number]) => Date.parse((await history(range))[0]?.at ?? '')
    const end = Date.parse((await history('all')).at(-1)?.at ?? '')
    expect(await start('all')).toBe(events[1]?.at)
    expect(Math.round((end - (await start('30d'))) / HOUR_MS)).toBe(720)
    expect(Math.round((end - (await start('24h'))) / HOUR_MS)).toBe(24)
    expect((await history('all'))[0]?.investedBNB).toBe(formatEther(quoteBuy(3n, 4n).priceAfterFeeWei))
    expect((await anyone().getPortfolioHistory({ address: `0x${'12'.repeat(20)}` })).points).toEqual([])
  })

  test('moves on with time', async () => {
    const before = await anyone().getPortfolio({ address: address() })
    market.server.clock.advance(48 * HOUR_MS)
    const { points } = await anyone().getPortfolioHistory({ address: address(), range: '24h' })
    const after = await anyone().getPortfolio({ address: address() })
    expect(after.valueBNB).toBe(before.valueBNB)
    expect(after).toMatchObject({ change24hBNB: '0', change24hPercent: 0 })
    expect(new Set(points.map(({ valueBNB }) => valueBNB))).toEqual(new Set([after.valueBNB]))
  })

  test('takes two statements, however many trades and points there are', async () => {
    expect(await collectStatements(() => anyone().getPortfolioHistory({ address: address() }))).toHaveLength(2)
  })
})

describe('what an earlier release has stored', () => {
  const readAll = async () => ({
    portfolio: await anyone().getPortfolio({ address: address() }),
    history: (await anyone().getPortfolioHistory({ address: address(), range: 'all' })).points
      .map(({ valueBNB, investedBNB }) => `${valueBNB} ${investedBNB}`)
      .filter((state, i, states) => state !== states[i - 1]),
    holdings: (await anyone().listHoldings({ address: address() })).data,
  })
  const forgetCosts = () => market.server.deps.db.run(sql`delete from share_cost`)
  const costs = async () => (await readShareState(market.server.deps.db)).costs

  test('gives the same figures before its costs are filled in', async () => {
    const expected = await readAll()
    for (const name of ['portfolio', 'history', 'holdings'] as const) {
      await forgetCosts()
      expect((await readAll())[name]).toEqual(expected[name])
    }
    await forgetCosts()
    expect((await anyone().listHoldings({ address: address() })).data).toEqual(expected.holdings)
  })

  test('is filled in by a job, which continues where it stopped', async () => {
    const { db, queue } = market.server.deps
    await queue.enqueue(db, 'fill_share_costs', {})
    await market.server.drain()
    const expected = await costs()
    expect(expected).toEqual((await rebuildFigures(db)).costs)
    await forgetCosts()
    await queue.enqueue(db, 'fill_share_costs', {})
    await market.server.drain()
    expect(await costs()).toEqual(expected)
    await queue.enqueue(db, 'fill_share_costs', { source: 1 })
    await market.server.drain()
    expect(await costs()).toEqual(expected)
  })
})
