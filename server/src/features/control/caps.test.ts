import { encodeBuy, quoteBuy, quoteSell } from '@rookery/contracts'
import { formatEther, parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type ShareChain, startShareServer } from '../../../test/chain.js'
import { outcome, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import type { TestServer } from '../../../test/start-server.js'
import type { Follower } from '../../foundation/chain/follow-chain.js'

let shareChain: ShareChain
let server: TestServer
let follower: Follower
let alice: SeededAgent
let bob: SeededAgent
let owner: SeededAgent['client']
let supply = 0

const DAY_MS = 24 * 60 * 60_000

beforeAll(async () => {
  ;({ shareChain, server, follower } = await startShareServer())
  ;({ alice, bob } = await server.seed.agents('alice', 'bob'))
  for (const { wallet } of [alice, bob]) await shareChain.fund(wallet.address, '10000')
  await mineNow()
  const launch = { side: 'buy', sharesSubject: bob.subject, amount: 300, walletAddress: bob.wallet.address } as const
  await shareChain.send(bob.wallet, (await server.client().getShareQuote(launch)).transaction)
  await follower.catchUp()
})
afterAll(() => server.stop())

/** Each test has a day of its own, on which nothing has been traded. */
beforeEach(async () => {
  server.clock.advance(DAY_MS)
  await mineNow()
  await follower.catchUp()
  ;({ totalSupply: supply } = await server.client().getAgent({ identifier: 'bob' }))
  owner = (await server.seed.login('alice')).client
  await allow(null)
})

/** Mines an empty block at the service's time. */
async function mineNow(): Promise<void> {
  await shareChain.client.setNextBlockTimestamp({ timestamp: BigInt(Math.floor(server.clock.now().getTime() / 1000)) })
  await shareChain.client.mine({ blocks: 1 })
}

/** Lets time pass for the service and the chain alike. */
async function pass(ms: number): Promise<void> {
  server.clock.advance(ms)
  await mineNow()
}

const trade = (side: 'buy' | 'sell', more: { slippageBps?: number; amount?: number } = {}) =>
  alice.client.getShareQuote({
    side,
    sharesSubject: bob.subject,
    amount: 1,
    walletAddress: alice.walletAddress,
    slippageBps: 0,
    ...more,
  })
const transfer = () =>
  alice.client.getShareTransfer({
    sharesSubject: bob.subject,
    to: bob.walletAddress,
    amount: 1,
    walletAddress: alice.walletAddress,
  })
const traded = async () => parseEther((await alice.client.getMyControls()).tradedTodayBNB)
const allow = (wei: bigint | null) =>
  owner.updateControls({ id: 'alice', maxDailyTradeBNB: wei === null ? null : formatEther(wei) })
const costOf = (at = supply) => quoteBuy(BigInt(at), 1n).priceAfterFeeWei
const worthOf = (at = supply) => quoteSell(BigInt(at), 1n).priceWei

describe('a trade that was prepared and not sent', () => {
  test('is given back when its deadline has passed, and the chain refuses it from then on', async () => {
    await allow(costOf())
    const { transaction } = await trade('buy')
    expect(await traded()).toBe(costOf())
    expect(await refused(trade('buy'))).toBe('403 CAP_REACHED')
    await pass(62_000)
    await follower.catchUp()
    expect(await traded()).toBe(0n)
    expect(await outcome(trade('buy'))).toBe('done')
    await expect(shareChain.send(alice.wallet, transaction)).rejects.toThrow()
  })

  test('counts until the index has passed its deadline', async () => {
    await allow(costOf())
    await trade('buy')
    await pass(62_000)
    expect(await traded()).toBe(costOf())
    expect(await refused(trade('buy'))).toBe('403 CAP_REACHED')
    await follower.catchUp()
    expect(await traded()).toBe(0n)
  })

  test('is given back on a chain without new blocks too, a little later', async () => {
    await allow(costOf())
    await trade('buy')
    server.clock.advance(62_000)
    await follower.catchUp()
    expect(await refused(trade('buy'))).toBe('403 CAP_REACHED')
    server.clock.advance(15_000)
    await follower.catchUp()
    expect(await outcome(trade('buy'))).toBe('done')
  })

  test('is given back to the wei under parallel calls at the cap', async () => {
    await allow(3n * costOf())
    const ask = async () =>
      (await Promise.all(Array.from({ length: 8 }, () => outcome(trade('buy'))))).filter((end) => end === 'done').length
    expect(await ask()).toBe(3)
    expect(await traded()).toBe(3n * costOf())
    await pass(62_000)
    await follower.catchUp()
    expect(await ask()).toBe(3)
    expect(await traded()).toBe(3n * costOf())
  })
})

describe('a trade that was sent', () => {
  test('counts with what it cost, not with what it might have cost', async () => {
    const { transaction, limitPriceWei } = await trade('buy', { slippageBps: 5_000 })
    await shareChain.send(alice.wallet, transaction)
    expect(await traded()).toBe(BigInt(limitPriceWei))
    await follower.catchUp()
    expect(await traded()).toBe(costOf())
    await pass(62_000)
    await follower.catchUp()
    expect(await traded()).toBe(costOf())
  })

  test('in time counts, however late it is indexed', async () => {
    await allow(costOf())
    await shareChain.send(alice.wallet, (await trade('buy')).transaction)
    await pass(3_600_000)
    expect(await refused(trade('sell'))).toBe('403 CAP_REACHED')
    await follower.catchUp()
    expect(await traded()).toBe(costOf())
    expect(await refused(trade('sell'))).toBe('403 CAP_REACHED')
  })

  test('counts beside another one like it that is still open', async () => {
    const first = await trade('buy', { slippageBps: 300 })
    const second = await trade('buy', { slippageBps: 300 })
    await shareChain.send(alice.wallet, first.transaction)
    await follower.catchUp()
    expect(await traded()).toBe(costOf() + BigInt(second.limitPriceWei))
  })

  test('twice counts twice', async () => {
    const { transaction } = await trade('buy', { slippageBps: 300 })
    await shareChain.send(alice.wallet, transaction)
    await shareChain.send(alice.wallet, transaction)
    await follower.catchUp()
    expect(await traded()).toBe(costOf() + costOf(supply + 1))
  })

  test('is undone by a reorganisation', async () => {
    const snapshot = await shareChain.client.snapshot()
    const { transaction, limitPriceWei } = await trade('buy', { slippageBps: 300 })
    await shareChain.send(alice.wallet, transaction)
    await follower.catchUp()
    expect(await traded()).toBe(costOf())
    await shareChain.client.revert({ id: snapshot })
    await mineNow()
    await mineNow()
    await follower.catchUp()
    expect(await traded()).toBe(BigInt(limitPriceWei))
  })

  test('by the owner or with the wallet’s own transaction does not count', async () => {
    const wish = { side: 'buy', sharesSubject: bob.subject, amount: 2, walletAddress: alice.walletAddress } as const
    const { transaction } = await owner.getShareQuote(wish)
    await shareChain.send(alice.wallet, transaction)
    const data = encodeBuy({ subject: bob.subject, amount: 3n })
    const value = `0x${parseEther('1000').toString(16)}` as const
    await shareChain.send(alice.wallet, transaction && { ...transaction, data, value })
    await follower.catchUp()
    expect(await traded()).toBe(0n)
  })
})

describe('a transfer, which has no deadline', () => {
  test('counts for the rest of its day when it is not sent, and on the day it is sent', async () => {
    await allow(worthOf())
    const { transaction } = await transfer()
    await pass(3_600_000)
    await follower.catchUp()
    expect(await traded()).toBe(worthOf())
    expect(await refused(transfer())).toBe('403 CAP_REACHED')
    await pass(DAY_MS)
    await follower.catchUp()
    expect(await traded()).toBe(0n)
    await shareChain.send(alice.wallet, transaction)
    await follower.catchUp()
    expect(await traded()).toBe(worthOf())
  })
})
