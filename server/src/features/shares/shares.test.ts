import { quoteBuy, quoteSell } from '@rookery/contracts'
import sql from 'sql-template-tag'
import { formatEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcome, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { type ShareMarket, startShareMarket } from '../../../test/share-market.js'
import { keepCandles } from './candles.js'

let market: ShareMarket
let alice: SeededAgent
let bob: SeededAgent
let carol: SeededAgent
const low = (address: string) => address.toLowerCase() as `0x${string}`
const BNB = (wei: bigint) => formatEther(wei)
const anyone = () => market.server.client()

beforeAll(async () => {
  market = await startShareMarket()
  ;({ alice, bob, carol } = await market.server.seed.agents('alice', 'bob', 'carol'))
  await market.fund(alice, bob, carol)
  await market.follow()
})
afterAll(() => market.stop())

describe('the deployed client’s flow', () => {
  test('launches with the owner’s first buy, using signed transactions throughout', async () => {
    const request = {
      side: 'buy',
      sharesSubject: alice.subject,
      amount: 1,
      walletAddress: alice.wallet.address,
    } as const
    const quote = await anyone().getShareQuote(request)
    expect(quote).toMatchObject({
      launch: true,
      supply: 0,
      priceWei: '0',
      priceAfterFeeWei: '0',
      priceImpactBps: 0,
      warnings: [],
    })
    expect(quote.summary).toBe('Launch the shares of @alice and take the first one, which costs nothing.')
    expect(quote.transaction).toMatchObject({
      to: market.chain.contract,
      value: '0x0',
      gasLimit: '250000',
      chainId: 31_337,
    })
    await market.send(alice.wallet, quote.transaction)
    await market.follow()
    expect(await anyone().getAgent({ identifier: 'alice' })).toMatchObject({
      tradeable: true,
      totalSupply: 1,
      totalHolder: 1,
      sharePriceBNB: '0.0000625',
    })
  })

  test('opens private tweets with a buy, and closes them with the sale of the last share', async () => {
    const secret = await alice.client.createTweet({ content: 'for holders', visibility: 'private' })
    const read = (agent: SeededAgent) => outcome(agent.client.getTweet({ id: secret.id }))
    expect(await read(bob)).toBe('403 HOLDERS_ONLY')
    await market.buy(bob, alice, 2)
    expect(await read(bob)).toBe('done')
    expect((await anyone().getAgent({ identifier: 'alice' })).totalSupply).toBe(3)
    await market.sell(bob, alice)
    expect(await read(bob)).toBe('done')
    const gift = await anyone().getShareTransfer({
      sharesSubject: alice.subject,
      to: carol.wallet.address,
      amount: 1,
      walletAddress: bob.wallet.address,
    })
    expect(gift.summary).toBe(`Send 1 share of @alice to ${low(carol.wallet.address)}.`)
    expect(gift.transaction).toMatchObject({ value: '0x0', gasLimit: '150000' })
    await market.send(bob.wallet, gift.transaction)
    await market.follow()
    expect([await read(bob), await read(carol)]).toEqual(['403 HOLDERS_ONLY', 'done'])
    await market.sell(carol, alice)
    expect(await read(carol)).toBe('403 HOLDERS_ONLY')
  })

  test('is quoted from the newest block, which the index does not have yet', async () => {
    const trade = { sharesSubject: alice.subject, amount: 1, walletAddress: bob.wallet.address } as const
    const before = await anyone().getShareQuote({ ...trade, side: 'buy' })
    await market.send(bob.wallet, before.transaction)
    expect((await anyone().getAgent({ identifier: 'alice' })).totalSupply).toBe(1)
    const blockNumber = (before.blockNumber ?? 0) + 1
    const sale = await anyone().getShareQuote({ ...trade, side: 'sell' })
    expect(sale).toMatchObject({ supply: 2, blockNumber, price: String(quoteSell(2n, 1n).priceWei) })
    expect(sale.warnings.map(({ code }) => code)).toEqual(['STALE_SUPPLY'])
    const priced = await anyone().getShareQuote({ side: 'buy', agentId: 'alice', amount: 1 })
    expect(priced).toMatchObject({ supply: 2, blockNumber, warnings: [{ code: 'STALE_SUPPLY' }] })
    expect(await anyone().getBuyPrice({ id: 'alice' })).toMatchObject({ supply: 2, blockNumber })
    expect(await anyone().getSellPrice({ id: 'alice' })).toMatchObject({ supply: 2, blockNumber })
    const gift = { sharesSubject: alice.subject, to: carol.wallet.address, walletAddress: bob.wallet.address }
    expect(await anyone().getShareTransfer({ ...gift, amount: 1 })).toMatchObject({ blockNumber })
    await market.send(bob.wallet, sale.transaction)
    expect(await outcome(anyone().getShareTransfer({ ...gift, amount: 1 }))).toBe(
      '400 INSUFFICIENT_SHARES_FOR_TRANSFER',
    )
    expect(await outcome(anyone().getShareQuote({ ...trade, side: 'sell' }))).toBe('400 INSUFFICIENT_BALANCE')
    await market.follow()
    expect((await anyone().getShareQuote({ side: 'buy', agentId: 'alice', amount: 1 })).warnings).toEqual([])
  })

  test('is bounded by the newest price, right after a trade', async () => {
    const trade = { sharesSubject: alice.subject, amount: 1, walletAddress: bob.wallet.address } as const
    await market.send(bob.wallet, (await anyone().getShareQuote({ ...trade, side: 'buy' })).transaction)
    const sale = await anyone().getShareQuote({ ...trade, side: 'sell', slippageBps: 0 })
    expect(sale.limitPriceWei).toBe(String(quoteSell(2n, 1n).priceAfterFeeWei))
    await market.send(bob.wallet, sale.transaction)
    await market.follow()
  })
})

describe('trading history', () => {
  // alice launched 1; bob +2, −1, gave 1 to carol, who sold it; then bob +1, −1 twice.
  test('is listed newest first, with trader, subject and status', async () => {
    const { data, meta } = await anyone().listTrades({})
    expect(meta.total).toBe(8)
    expect(
      data.map(({ action, trader, shareAmount, supply }) => [trader.username, action, shareAmount, supply]),
    ).toEqual([
      ['bob', 'sold', 1, 1],
      ['bob', 'bought', 1, 2],
      ['bob', 'sold', 1, 1],
      ['bob', 'bought', 1, 2],
      ['carol', 'sold', 1, 1],
      ['bob', 'sold', 1, 2],
      ['bob', 'bought', 2, 3],
      ['alice', 'bought', 1, 1],
    ])
    const { priceWei, protocolFeeWei } = quoteBuy(1n, 2n)
    expect(data[6]).toMatchObject({
      subject: { address: alice.subject, username: 'alice', displayName: 'alice' },
      priceBNB: BNB(priceWei),
      protocolFeeBNB: BNB(protocolFeeWei),
      subjectFeeBNB: BNB(protocolFeeWei),
      sharePriceBNB: BNB(quoteBuy(3n, 1n).priceWei),
    })
  })

  test('is pending, then confirmed, then final', async () => {
    const { db } = market.server.deps
    const [newest, middle, oldest] = (await anyone().listTrades({ limit: 3 })).data.map((item) => item.blockNumber)
    await db.run(sql`update chain_cursor set confirmed_number = ${middle}, final_number = ${oldest}`)
    const { data } = await anyone().listTrades({ limit: 3 })
    expect(data.map(({ status }) => status)).toEqual(['pending', 'confirmed', 'final'])
    expect((await anyone().listTraderActivities({ address: bob.wallet.address })).data[0]?.status).toBe('pending')
    await db.run(sql`update chain_cursor set confirmed_number = ${newest}, final_number = ${newest}`)
    expect((await anyone().listTrades({ limit: 1 })).data[0]?.status).toBe('final')
  })

  test('comes in pages that fit together, by each filter', async () => {
    const all = (await anyone().listTrades({})).data.map(({ id }) => id)
    for (const filter of [{}, { subject: alice.subject }, { username: '@Alice' }, { agentId: alice.id }]) {
      const seen: string[] = []
      for (let cursor: string | null | undefined; cursor !== null; ) {
        const page = await anyone().listTrades({ ...filter, limit: 3, ...(cursor && { cursor }) })
        expect(page.meta.total).toBe(8)
        seen.push(...page.data.map(({ id }) => id))
        cursor = page.meta.nextCursor
      }
      expect(seen).toEqual(all)
    }
    const bobs = await anyone().listTrades({ trader: bob.wallet.address, limit: 2 })
    expect(bobs.meta.total).toBe(6)
    const rest = await anyone().listTrades({
      trader: bob.wallet.address,
      limit: 10,
      cursor: bobs.meta.nextCursor ?? '',
    })
    expect(rest.data).toHaveLength(4)
    const both = await anyone().listTrades({ trader: carol.wallet.address, subject: alice.subject })
    expect(both.meta.total).toBe(1)
    for (const nothing of [{ username: 'nobody_here' }, { username: 'bob', subject: alice.subject }])
      expect((await anyone().listTrades(nothing)).meta.total).toBe(0)
    expect(
      await refused(anyone().listTrades({ cursor: (await anyone().listTraders({ limit: 1 })).meta.nextCursor ?? '' })),
    ).toBe('400 INVALID_INPUT')
  })

  test('yields traders, largest volume first', async () => {
    const { data, meta } = await anyone().listTraders({ limit: 2 })
    expect(meta.total).toBe(3)
    expect(data.map(({ agent }) => agent?.username)).toEqual(['bob', 'carol'])
    const volume = quoteBuy(1n, 2n).priceWei + quoteSell(3n, 1n).priceWei + 4n * quoteBuy(1n, 1n).priceWei
    expect(data[0]).toMatchObject({ totalTrades: 6, totalInvestedSubjects: 1, volumeBNB: BNB(volume) })
    expect(data[1]).toMatchObject({ totalTrades: 1, totalInvestedSubjects: 0 })
    const next = await anyone().listTraders({ limit: 2, cursor: meta.nextCursor ?? '' })
    expect(next.data.map(({ agent }) => agent?.username)).toEqual(['alice'])
  })

  test('is listed from each wallet’s side', async () => {
    const carols = await anyone().listTraderActivities({ address: carol.wallet.address })
    expect(carols.data.map(({ action, counterparty }) => [action, counterparty?.username])).toEqual([
      ['sold', undefined],
      ['received', 'bob'],
    ])
    const first = await anyone().listTraderActivities({ address: bob.wallet.address, limit: 5 })
    expect(first.meta.total).toBe(7)
    expect(first.data[4]).toMatchObject({ action: 'sent', priceBNB: null, sharePriceBNB: null, shareAmount: 1 })
    const cursor = first.meta.nextCursor ?? ''
    const rest = await anyone().listTraderActivities({ address: bob.wallet.address, limit: 5, cursor })
    expect(rest.data.map(({ action }) => action)).toEqual(['sold', 'bought'])
  })
})

describe('holdings', () => {
  test('have a value, a cost and a profit, first in first out', async () => {
    await market.buy(bob, alice, 3)
    await market.sell(bob, alice)
    const paid = quoteBuy(1n, 3n).priceAfterFeeWei
    const cost = paid - paid / 3n
    const value = quoteSell(3n, 2n).priceWei
    const { data } = await bob.client.listMyHoldings({})
    expect(data).toHaveLength(1)
    const earlier = 2n * quoteSell(2n, 1n).priceAfterFeeWei - 2n * quoteBuy(1n, 1n).priceAfterFeeWei
    const first = quoteBuy(1n, 2n).priceAfterFeeWei
    const realised =
      quoteSell(3n, 1n).priceAfterFeeWei - first / 2n + earlier + quoteSell(4n, 1n).priceAfterFeeWei - paid / 3n
    expect(data[0]).toMatchObject({
      agentId: alice.id,
      agentUsername: 'alice',
      sharesSubject: alice.subject,
      amount: 2,
      valueBNB: BNB(value),
      costBasisBNB: BNB(cost),
      openProfitBNB: BNB(value - cost),
      realisedProfitBNB: BNB(realised),
    })
    const ofWallet = await anyone().listHoldings({ address: bob.wallet.address })
    expect(ofWallet.data).toMatchObject([
      { trader: low(bob.wallet.address), amount: 2, username: 'alice', valueBNB: BNB(value) },
    ])
    for (const address of ['bob', bob.id, bob.subject])
      expect((await anyone().listHoldings({ address })).data).toEqual(ofWallet.data)
    expect((await bob.client.listHoldings({ address: 'me' })).data).toEqual(ofWallet.data)
    expect((await anyone().listHoldings({ address: `0x${'12'.repeat(20)}` })).data).toEqual([])
    expect(await refused(anyone().listHoldings({ address: 'nobody_here' }))).toBe('404 AGENT_NOT_FOUND')
    expect(await refused(anyone().listHoldings({ address: 'me' }))).toBe('401 UNAUTHENTICATED')
  })

  test('are listed most valuable first, and by cursor', async () => {
    await market.buy(carol, carol, 2)
    await market.buy(bob, carol)
    const page = await anyone().listHoldings({ address: 'bob', limit: 1 })
    expect(page.data.map(({ username }) => username)).toEqual(['alice'])
    const next = await anyone().listHoldings({ address: 'bob', limit: 1, cursor: page.meta.nextCursor ?? '' })
    expect(next.data.map(({ username }) => username)).toEqual(['carol'])
    expect(next.meta).toMatchObject({ total: 2, nextCursor: null })
  })

  test('have holders, largest first, with their percentage and since when', async () => {
    const { data, meta } = await anyone().listHolders({ id: 'alice', limit: 1 })
    expect(meta.total).toBe(2)
    expect(data).toMatchObject([
      { address: low(bob.wallet.address), amount: 2, ownershipBps: 6666, isOwner: false, agent: { username: 'bob' } },
    ])
    const trades = await anyone().listTrades({ trader: bob.wallet.address, subject: alice.subject })
    const bought = trades.data.find(({ shareAmount }) => shareAmount === 3)
    expect(data[0]?.heldSinceAt).toBe(new Date((bought?.blockTimeUnix ?? 0) * 1000).toISOString())
    const next = await anyone().listHolders({ id: 'alice', limit: 1, cursor: meta.nextCursor ?? '' })
    expect(next.data).toMatchObject([{ address: low(alice.wallet.address), amount: 1, isOwner: true }])
  })
})

describe('charts', () => {
  test('have one candle for each step with trades', async () => {
    const { candles } = await anyone().getChart({ id: 'alice', interval: '1w' })
    const [last] = candles.slice(-1)
    expect(candles.reduce((sum, candle) => sum + candle.trades, 0)).toBe(10)
    expect(candles[0]?.openBNB).toBe('0')
    expect(last?.closeBNB).toBe('0.0005625')
    expect(Math.max(...candles.map(({ highBNB }) => Number(highBNB)))).toBe(0.001)
    const stats = await anyone().getAgent({ identifier: 'alice' })
    if (candles.length === 1) expect(last?.volumeBNB).toBe(stats.tradingVolBNB)
    for (const step of candles) expect(new Date(step.startAt).getUTCDay()).toBe(1)
    const until = new Date(new Date(candles[0]?.startAt ?? 0).getTime() - 1).toISOString()
    expect((await anyone().getChart({ id: 'alice', interval: '1m', until })).candles).toEqual([])
    expect(await refused(anyone().getChart({ id: 'nobody_here' }))).toBe('404 AGENT_NOT_FOUND')
  })

  test('continue where the step before ended', async () => {
    const { db } = market.server.deps
    const { data } = await anyone().listTrades({ subject: alice.subject, limit: 6 })
    const newest = (data.at(-1)?.blockNumber ?? 0) * 1_000_000
    for (const table of [sql`trade`, sql`share_transfer`])
      await db.run(sql`update ${table} set at = at - interval '30 days' where position < ${newest}`)
    await keepCandles(db, [{ subject: alice.subject, time: 0 }])
    const { candles } = await anyone().getChart({ id: 'alice', interval: '1d' })
    const [first, second] = candles
    expect(first).toMatchObject({ openBNB: '0', closeBNB: '0.0000625', trades: 4 })
    expect(second?.openBNB).toBe(first?.closeBNB)
    const since = new Date(new Date(second?.startAt ?? 0).getTime() + 3_600_000).toISOString()
    expect((await anyone().getChart({ id: 'alice', interval: '1d', since })).candles).toEqual(candles.slice(1))

    const { points } = await anyone().getHolderHistory({ id: 'alice', interval: '1d' })
    expect(points[0]).toMatchObject({ startAt: first?.startAt, holders: 1, supply: 1 })
    expect(points.at(-1)).toMatchObject({ holders: 2, supply: 3 })
    expect((await anyone().getHolderHistory({ id: 'alice', interval: '1d', since })).points).toEqual(points.slice(1))
    const minutes = await anyone().getHolderHistory({ id: 'alice', interval: '1m' })
    expect(minutes.points.length).toBeGreaterThan(1)
  })
})

describe('rankings', () => {
  test('by balance show the last balance read from the chain, and the place in the whole list', async () => {
    const { deps, drain } = market.server
    const before = await anyone().listBalanceLeaderboard({})
    expect(before.data.map(({ balanceBNB }) => balanceBNB)).toEqual(['0', '0', '0'])
    await deps.queue.enqueue(deps.db, 'read_balances', {}, { dedupeKey: 'read_balances' })
    await drain()
    const { data } = await anyone().listBalanceLeaderboard({})
    const balances = await deps.chain?.balancesOf(data.map(({ walletAddress }) => walletAddress))
    expect(data.map(({ balanceBNB }) => balanceBNB)).toEqual(balances?.map(BNB))
    expect(data.map(({ rank }) => rank)).toEqual([1, 2, 3])
    const first = await anyone().listBalanceLeaderboard({ limit: 2 })
    const next = await anyone().listBalanceLeaderboard({ limit: 2, cursor: first.meta.nextCursor ?? '' })
    expect([...first.data, ...next.data]).toEqual(data)
    expect((await anyone().listBalanceLeaderboard({ limit: 2, page: 2 })).data).toEqual(next.data)
  })

  test('by position have the most valuable first', async () => {
    const { db } = market.server.deps
    await db.run(sql`update agent set holding_value_wei = case username when 'bob' then 5000 else 7 end`)
    const { data } = await anyone().listPositionLeaderboard({})
    expect(data[0]).toMatchObject({ rank: 1, agentUsername: 'bob', positionValueBNB: '0.000000000000005' })
    expect(data.map(({ rank }) => rank)).toEqual([1, 2, 3])
  })
})

describe('GET /v1/price/bnb', () => {
  test('reads the feed on the chain', async () => {
    const { priceUsd, source, stale, lastUpdatedUnix } = await anyone().getBnbPrice()
    expect(priceUsd).toBeGreaterThan(0)
    expect([source, stale]).toEqual(['embedded', false])
    expect(lastUpdatedUnix).toBeGreaterThan(0)
  })
})
