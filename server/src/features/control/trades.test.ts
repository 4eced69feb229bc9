import { registrationText } from '@rookery/sdk'
import { formatEther, parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcome, refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { type ShareMarket, startShareMarket } from '../../../test/share-market.js'

let market: ShareMarket
let alice: SeededAgent
let bob: SeededAgent
let carol: SeededAgent
let owner: SeededAgent['client']
/** The maximum cost of one share of bob now, and its value when it is sold. */
let costWei: bigint

beforeAll(async () => {
  market = await startShareMarket()
  const { seed } = market.server
  ;({ alice, bob, carol } = await seed.agents('alice', 'bob', 'carol'))
  await market.fund(alice, bob, carol)
  await market.buy(bob, bob)
  await market.buy(alice, bob, 3)
  owner = (await seed.login('alice')).client
  costWei = BigInt((await buy()).limitPriceWei)
})
afterAll(() => market.stop())

const trade = (side: 'buy' | 'sell', amount: number, more: { approvalId?: string; slippageBps?: number } = {}) =>
  alice.client.getShareQuote({ side, sharesSubject: bob.subject, amount, walletAddress: alice.walletAddress, ...more })
const buy = (amount = 1, more = {}) => trade('buy', amount, more)
const transfer = (amount: number, more: { approvalId?: string } = {}) =>
  alice.client.getShareTransfer({
    sharesSubject: bob.subject,
    to: carol.walletAddress,
    amount,
    walletAddress: alice.walletAddress,
    ...more,
  })
const controls = async () => (await owner.getOwnedAgent({ id: 'alice' })).controls
const tradedWei = async () => parseEther((await controls()).tradedTodayBNB)
const bnb = (wei: bigint) => formatEther(wei)
const set = (rules: Partial<Parameters<typeof owner.updateControls>[0]>) =>
  owner.updateControls({
    id: 'alice',
    maxTradeBNB: null,
    maxDailyTradeBNB: null,
    allowedActions: null,
    approveTradesAboveBNB: null,
    ...rules,
  })

describe('caps on trades', () => {
  test('count the maximum cost of a purchase, and the value of shares sold or given away', async () => {
    const before = await tradedWei()
    const bought = await buy(2)
    const sold = await trade('sell', 1)
    await transfer(1)
    const added = BigInt(bought.limitPriceWei) + BigInt(sold.priceWei) * 2n
    expect((await tradedWei()) - before).toBe(added)
    await alice.client.getShareQuote({ side: 'buy', sharesSubject: bob.subject, amount: 50 })
    expect((await tradedWei()) - before).toBe(added)
  })

  test('hold for one trade to the wei', async () => {
    await set({ maxTradeBNB: bnb(costWei) })
    expect(await outcome(buy())).toBe('done')
    await set({ maxTradeBNB: bnb(costWei - 1n) })
    expect(await refused(buy())).toBe('403 CAP_REACHED')
    expect(
      (await alice.client.getShareQuote({ side: 'buy', sharesSubject: bob.subject, amount: 1 })).priceWei,
    ).toBeDefined()
  })

  test('hold for a day to the wei, under parallel calls', async () => {
    const limit = (await tradedWei()) + 3n * costWei
    await set({ maxDailyTradeBNB: bnb(limit) })
    const ends = await Promise.all(Array.from({ length: 8 }, () => outcome(buy())))
    expect(ends.filter((end) => end === 'done')).toHaveLength(3)
    expect(ends.filter((end) => end === '403 CAP_REACHED')).toHaveLength(5)
    expect(await tradedWei()).toBe(limit)
    expect((await refusal(buy())).details[0]?.path).toBe('clearsAt')
    expect(await refused(transfer(1))).toBe('403 CAP_REACHED')
  })

  test('cannot be evaded without the key or with another agent’s', async () => {
    const request = { side: 'buy', sharesSubject: bob.subject, amount: 1, walletAddress: alice.walletAddress } as const
    const { server } = market
    for (const client of [server.client(), bob.client, (await server.seed.login('bob')).client]) {
      expect(await refused(client.getShareQuote(request))).toBe('403 WALLET_GOVERNED')
      expect(await refused(client.getShareTransfer({ ...request, to: carol.walletAddress }))).toBe(
        '403 WALLET_GOVERNED',
      )
    }
    expect(
      (await server.client().getShareQuote({ ...request, walletAddress: carol.walletAddress })).transaction,
    ).toBeDefined()
  })

  test('cannot be evaded with another agent of the same wallet', async () => {
    const { server } = market
    const signature = await alice.wallet.signMessage({ message: registrationText('Rookery', 'sibling') })
    const { apiKey } = await server
      .client()
      .registerAgent({ name: 'sibling', walletAddress: alice.walletAddress, signature })
    const request = { side: 'buy', sharesSubject: bob.subject, amount: 1, walletAddress: alice.walletAddress } as const
    expect(await refused(server.client({ apiKey }).getShareQuote(request))).toBe('403 WALLET_GOVERNED')
  })

  test('do not bind the owner, whose wallet it is', async () => {
    const before = await tradedWei()
    const quote = await owner.getShareQuote({
      side: 'buy',
      sharesSubject: bob.subject,
      amount: 1,
      walletAddress: alice.walletAddress,
    })
    expect(quote.transaction).toBeDefined()
    expect(await tradedWei()).toBe(before)
    await set({})
  })
})

describe('freezing and the allow-list', () => {
  test('apply to prepared transactions, not to prices', async () => {
    await set({ allowedActions: ['trade'] })
    expect(await outcome(buy())).toBe('done')
    expect(await refused(transfer(1))).toBe('403 ACTION_NOT_ALLOWED')
    await owner.freezeAgent({ id: 'alice' })
    expect(await refused(buy())).toBe('403 AGENT_FROZEN')
    expect(await outcome(alice.client.getShareQuote({ side: 'buy', sharesSubject: bob.subject, amount: 1 }))).toBe(
      'done',
    )
    await owner.unfreezeAgent({ id: 'alice' })
    await set({})
  })
})

describe('approval of trades', () => {
  const requestBuy = async (amount: number) => {
    const { approval, transaction } = await buy(amount)
    expect(transaction).toBeUndefined()
    return approval?.id ?? ''
  }
  const decide = (approvalId: string, decision: 'approve' | 'reject' = 'approve') =>
    owner.decideApproval({ id: 'alice', approvalId, decision })

  test('holds back the transaction of a trade above the limit; asking again returns the same approval', async () => {
    await set({ approveTradesAboveBNB: bnb(costWei) })
    expect((await buy(1)).transaction).toBeDefined()
    const before = await tradedWei()
    const { approval, transaction, priceWei } = await buy(2)
    expect([approval?.status, transaction, priceWei]).toEqual(['pending_approval', undefined, expect.any(String)])
    expect((await buy(2)).approval).toEqual(approval)
    expect(await tradedWei()).toBe(before)
    const [waiting] = (await owner.listApprovals({ id: 'alice' })).data
    expect(waiting).toMatchObject({
      id: approval?.id,
      action: 'trade',
      tweet: null,
      trade: { side: 'buy', sharesSubject: bob.subject, amount: 2, to: null },
    })
  })

  test('releases the transaction once, for exactly what was approved', async () => {
    const approvalId = await requestBuy(2)
    expect(await refused(buy(2, { approvalId }))).toBe('409 APPROVAL_DECIDED')
    await decide(approvalId)
    expect((await buy(2)).approval).toEqual({ id: approvalId, status: 'approved' })
    expect(await refused(buy(3, { approvalId }))).toBe('400 APPROVAL_MISMATCH')
    expect(await refused(trade('sell', 2, { approvalId }))).toBe('400 APPROVAL_MISMATCH')
    expect(await refused(buy(2, { approvalId, slippageBps: 500 }))).toBe('400 APPROVAL_MISMATCH')
    const ends = await Promise.all([1, 2, 3].map(() => outcome(buy(2, { approvalId }))))
    expect(ends.sort()).toEqual(['409 APPROVAL_DECIDED', '409 APPROVAL_DECIDED', 'done'])
  })

  test('is refused after a rejection, after it expires, and for another agent', async () => {
    const rejected = await requestBuy(2)
    await decide(rejected, 'reject')
    expect(await refused(buy(2, { approvalId: rejected }))).toBe('409 APPROVAL_DECIDED')
    const approved = await requestBuy(2)
    await decide(approved)
    const asBob = bob.client.getShareQuote({
      side: 'buy',
      sharesSubject: bob.subject,
      amount: 2,
      walletAddress: bob.walletAddress,
      approvalId: approved,
    })
    expect(await refused(asBob)).toBe('404 APPROVAL_NOT_FOUND')
    market.server.clock.advance(24 * 60 * 60_000)
    await market.follow()
    expect(await refused(buy(2, { approvalId: approved }))).toBe('409 APPROVAL_DECIDED')
    owner = (await market.server.seed.login('alice')).client
  })

  test('applies to transfers too, within the caps', async () => {
    await set({ approveTradesAboveBNB: '0', maxTradeBNB: '0.000001' })
    expect(await refused(buy(1))).toBe('403 CAP_REACHED')
    expect(await refused(transfer(1))).toBe('403 CAP_REACHED')
    await set({ approveTradesAboveBNB: '0' })
    const { approval } = await transfer(1)
    await decide(approval?.id ?? '')
    expect((await transfer(1, { approvalId: approval?.id ?? '' })).transaction).toBeDefined()
    expect(
      (await owner.listAuditEntries({ id: 'alice', limit: 2 })).data.map(({ action, actor }) => [actor, action]),
    ).toEqual([
      ['agent', 'getShareTransfer'],
      ['owner', 'decideApproval'],
    ])
    await set({})
  })
})

describe('a trade outside the rules', () => {
  const ofCarol = { side: 'buy', walletAddress: '', amount: 1 } as const
  const state = async () => {
    const { controls, lastOutsideTrade } = await owner.getOwnedAgent({ id: 'alice' })
    return [controls.frozenAt !== null, lastOutsideTrade?.transactionHash]
  }

  test('freezes the agent that quotes for another wallet and signs the same call with its own', async () => {
    await set({ maxTradeBNB: '0.000001' })
    expect(await refused(buy())).toBe('403 CAP_REACHED')
    // Nobody has been given a purchase of so many.
    const quote = { ...ofCarol, amount: 4, sharesSubject: bob.subject, walletAddress: carol.walletAddress }
    const { transaction } = await market.server.client().getShareQuote(quote)
    const hash = await market.send(alice.wallet, transaction)
    await market.follow()
    expect(await state()).toEqual([true, hash])
    expect(await refused(alice.client.createTweet({ content: 'Nobody saw it' }))).toBe('403 AGENT_FROZEN')
    await owner.unfreezeAgent({ id: 'alice' })
  })

  test('is none that the agent or its owner had prepared', async () => {
    const before = (await state())[1]
    await set({ maxTradeBNB: '5' })
    await market.send(alice.wallet, (await buy()).transaction)
    await market.send(alice.wallet, (await transfer(1)).transaction)
    await market.follow()
    await set({ maxTradeBNB: '0.000001' })
    const { transaction } = await owner.getShareQuote({
      ...ofCarol,
      sharesSubject: bob.subject,
      walletAddress: alice.walletAddress,
    })
    await market.send(alice.wallet, transaction)
    await market.follow()
    expect(await state()).toEqual([false, before])
    await set({})
  })
})
