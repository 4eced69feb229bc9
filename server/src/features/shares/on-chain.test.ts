import { priceFeedAbi, quoteBuy } from '@rookery/contracts'
import { registrationText } from '@rookery/sdk'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ShareChain, startShareServer } from '../../../test/chain.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import type { Follower } from '../../foundation/chain/follow-chain.js'
import { createShareFollower } from '../../start/share-follower.js'

let shareChain: ShareChain
let server: TestServer
let follower: Follower
let alice: SeededAgent
let bob: SeededAgent
let quiet: SeededAgent
const anyone = () => server.client()

beforeAll(async () => {
  ;({ shareChain, server, follower } = await startShareServer())
  ;({ alice, bob, quiet } = await server.seed.agents('alice', 'bob', 'quiet'))
  for (const { wallet } of [alice, bob, quiet]) await shareChain.fund(wallet.address)
  await trade('buy', alice, alice, 3)
  await trade('buy', bob, alice, 2)
})
afterAll(() => server.stop())

type Side = 'buy' | 'sell'

const quote = (side: Side, who: SeededAgent, of: SeededAgent, amount = 1) =>
  anyone().getShareQuote({ side, sharesSubject: of.subject, amount, walletAddress: who.wallet.address })

async function trade(side: Side, who: SeededAgent, of: SeededAgent, amount = 1): Promise<void> {
  await shareChain.send(who.wallet, (await quote(side, who, of, amount)).transaction)
  await follower.catchUp()
}

describe('while the chain is unreachable', () => {
  test('quotes and prices are refused, however fresh the index is; history is not', async () => {
    await follower.catchUp()
    shareChain.isDown = true
    const ask = () => anyone().getShareQuote({ side: 'buy', agentId: 'alice', amount: 1 })
    expect(await refused(ask())).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(quote('buy', bob, alice))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(anyone().getBuyPrice({ id: 'alice' }))).toBe('502 CHAIN_UNAVAILABLE')
    expect((await anyone().listTrades({})).meta.total).toBe(2)
    shareChain.isDown = false
    expect((await ask()).supply).toBe(5)
  })

  test('health reports it', async () => {
    await server.drain()
    expect(await anyone().getHealth()).toMatchObject({
      status: 'ok',
      checks: { chain: { lagBlocks: 0, lagSeconds: 0 } },
    })
    await shareChain.client.mine({ blocks: 4, interval: 3 })
    server.clock.advance(30_000)
    const { chain } = (await anyone().getHealth()).checks
    expect(chain?.lagBlocks).toBe(4)
    expect(chain?.lagSeconds).toBeGreaterThanOrEqual(9)
    expect(await anyone().getMetrics()).toMatch(/^rookery_chain_lag_blocks 4$/m)
    expect(await anyone().getMetrics()).toContain(`\nrookery_chain_lag_seconds ${chain?.lagSeconds}\n`)
    shareChain.isDown = true
    expect(await anyone().getHealth()).toMatchObject({ status: 'degraded', checks: { chain: null } })
    shareChain.isDown = false
    await follower.catchUp()
    server.clock.advance(61_000)
    await server.drain()
    expect((await anyone().getHealth()).reasons).toEqual([expect.stringContaining('Nobody follows the chain')])
    await follower.catchUp()
    expect((await anyone().getHealth()).status).toBe('ok')
  })
})

describe('a quote', () => {
  test('bounds what a buyer pays: within it the rest comes back, beyond it nothing happens', async () => {
    const request = { side: 'buy', agentId: 'alice', amount: 1, walletAddress: bob.wallet.address } as const
    const tight = await anyone().getShareQuote({ ...request, slippageBps: 0 })
    const wide = await anyone().getShareQuote({ ...request, slippageBps: 10_000 })
    expect(tight.limitPriceWei).toBe(quoteBuy(5n, 1n).priceAfterFeeWei.toString())
    expect(BigInt(wide.limitPriceWei)).toBe(2n * quoteBuy(5n, 1n).priceAfterFeeWei)
    expect(BigInt(wide.transaction?.value ?? '0x0')).toBe(BigInt(wide.limitPriceWei))
    await trade('buy', alice, alice)
    await expect(shareChain.send(bob.wallet, tight.transaction)).rejects.toThrow()
    await shareChain.fund(bob.wallet.address, '50')
    await shareChain.send(bob.wallet, wide.transaction)
    const left = await shareChain.client.getBalance({ address: bob.wallet.address })
    expect(parseEther('50') - left).toBe(quoteBuy(6n, 1n).priceAfterFeeWei)
    await follower.catchUp()
    await trade('sell', bob, alice)
    await trade('sell', alice, alice)
  })
})

describe('a reorganisation', () => {
  test('undoes a purchase everywhere it is visible', async () => {
    const secret = await alice.client.createTweet({ content: 'for holders', visibility: 'private' })
    const snapshot = await shareChain.client.snapshot()
    await trade('buy', quiet, alice)
    expect((await quiet.client.getTweet({ id: secret.id })).content).toBe('for holders')
    expect((await quiet.client.getAgent({ identifier: 'alice' })).yourShare).toBe(1)
    const { data } = await anyone().listTrades({ limit: 1 })
    expect(data[0]?.trader.username).toBe('quiet')
    await shareChain.client.revert({ id: snapshot })
    await shareChain.client.increaseTime({ seconds: 9 })
    await shareChain.client.mine({ blocks: 2 })
    await follower.catchUp()
    expect(await refused(quiet.client.getTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
    expect((await quiet.client.getAgent({ identifier: 'alice' })).yourShare).toBe(0)
    expect((await anyone().listTrades({ limit: 1 })).data[0]?.id).not.toBe(data[0]?.id)
    expect((await quiet.client.listMyHoldings({})).data).toEqual([])
  })
})

describe('GET /v1/price/bnb', () => {
  const setPrice = async (dollars: bigint) => {
    const args = [dollars * 10n ** 8n] as const
    await shareChain.client.writeContract({
      address: shareChain.priceFeed,
      abi: priceFeedAbi,
      functionName: 'setAnswer',
      args,
    })
  }

  test('is read from the feed, cached for five minutes, and marked stale when the feed stops updating', async () => {
    expect(await anyone().getBnbPrice()).toMatchObject({ priceUsd: 612.34, source: 'chainlink', stale: true })
    await shareChain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.ceil(server.clock.now().getTime() / 1000)) })
    await setPrice(700n)
    server.clock.advance(4 * 60_000)
    expect((await anyone().getBnbPrice()).priceUsd).toBe(612.34)
    server.clock.advance(60_000)
    const { timestamp } = await shareChain.client.getBlock()
    const fresh = { priceUsd: 700, source: 'chainlink', stale: false, lastUpdatedUnix: Number(timestamp) }
    expect(await anyone().getBnbPrice()).toMatchObject(fresh)
    shareChain.isDown = true
    server.clock.advance(2 * 60_000)
    expect(await anyone().getBnbPrice()).toMatchObject(fresh)
    server.clock.advance(4 * 60_000)
    expect(await refused(anyone().getBnbPrice())).toBe('502 CHAIN_UNAVAILABLE')
    shareChain.isDown = false
    server.clock.advance(60 * 60_000)
    expect(await anyone().getBnbPrice()).toMatchObject({ ...fresh, stale: true })
    await follower.catchUp()
  })
})

describe('a launch', () => {
  test('lets the agent write at once where writing requires a launch', async () => {
    const env = { WRITES_REQUIRE: 'launched', OPERATOR_PRIVATE_KEY: shareChain.operatorKey }
    const other = await startServer({ env, replace: { chain: shareChain.chain } })
    const following = createShareFollower(other.deps, { chain: shareChain.chain })
    await following.catchUp()
    const { eager } = await other.seed.agents('eager')
    await shareChain.fund(eager.wallet.address)
    expect(await refused(eager.client.createTweet({ content: 'me first' }))).toBe('403 AGENT_NOT_LAUNCHED')
    const request = { side: 'buy', agentId: 'eager', amount: 2, walletAddress: eager.wallet.address } as const
    await shareChain.send(eager.wallet, (await other.client().getShareQuote(request)).transaction)
    await following.catchUp()
    expect(await eager.client.createTweet({ content: 'me now' })).toMatchObject({ content: 'me now' })
    expect((await eager.client.getMe()).launchedAt).not.toBeNull()
    await following.stop()
    await other.stop()
  })

  test('that happened before the registration is adopted by the agent that registers again', async () => {
    const { Lost: lost } = await server.seed.agents('Lost')
    await shareChain.fund(lost.wallet.address)
    await trade('buy', lost, lost, 4)
    const other = await startServer({ replace: { chain: shareChain.chain } })
    const following = createShareFollower(other.deps, { chain: shareChain.chain })
    await following.catchUp()
    const signature = await lost.wallet.signMessage({ message: registrationText('Rookery', 'lost') })
    const walletAddress = lost.wallet.address
    const { agent } = await other.client().registerAgent({ name: 'lost', walletAddress, signature })
    expect(agent).toMatchObject({ subject: lost.subject, totalSupply: 4, totalHolder: 1, tradeable: true })
    expect(agent.tradingVolBNB).toBe((await anyone().getAgent({ identifier: 'lost' })).tradingVolBNB)
    await following.catchUp()
    const { holdingValueBNB } = await other.client().getAgent({ identifier: 'lost' })
    expect(holdingValueBNB).toBe((await anyone().getAgent({ identifier: 'lost' })).holdingValueBNB)
    expect(Number(holdingValueBNB)).toBeGreaterThan(0)
    await following.stop()
    await other.stop()
  })
})

describe('the value of a wallet’s holdings', () => {
  test('follows the price, also when others move it', async () => {
    const value = async (name: string) => (await anyone().getAgent({ identifier: name })).holdingValueBNB
    const before = Number(await value('bob'))
    await trade('buy', quiet, alice, 3)
    expect(Number(await value('bob'))).toBeGreaterThan(before)
    await trade('sell', quiet, alice, 3)
    expect(Number(await value('bob'))).toBe(before)
    expect(await value('quiet')).toBe('0')
    const { data } = await anyone().listHoldings({ address: 'bob' })
    expect(data.reduce((sum, item) => sum + Number(item.valueBNB), 0)).toBeCloseTo(before, 12)
  })
})
