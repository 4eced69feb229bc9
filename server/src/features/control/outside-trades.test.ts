import sql from 'sql-template-tag'
import { parseEther } from 'viem'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { type Action, createFakeChain } from '../../../test/fake-chain.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createShareFollower } from '../../start/share-follower.js'
import { deleteOldPreparedTrades, insertPreparedTrade } from './prepared-trades.js'
import type { PreparedTrade } from './traded-today.js'

/** The time of the fake chain's first block. */
const GENESIS = Date.parse('2026-01-01T00:00:00.000Z')
const BLOCK_MS = 3_000
const clock = createTestClock(new Date(GENESIS))
const server = await startServer({ replace: { clock } })
const { db } = server.deps
const chain = createFakeChain()
const sleep = { for: async () => {}, wake: () => {} }
let follower = createShareFollower(server.deps, { chain, sleep })
/** Wallet 0 is Ada's, and 1 Bob's; nobody set rules for Bob. */
let ada: SeededAgent
let bob: SeededAgent
let owner: SeededAgent['client']

beforeAll(async () => {
  ;({ agent_0: ada, agent_1: bob } = await server.seed.agents('agent_0', 'agent_1'))
  for (const [n, { id }] of [ada, bob].entries()) {
    const { owner, subject } = chain.agents[n] ?? { owner: '', subject: '' }
    await db.run(sql`update agent set wallet_address = ${owner}, subject = ${subject} where id = ${id}`)
    await server.deps.identities.forget(id)
  }
  owner = (await server.seed.login('agent_0')).client
  await mine([
    { do: 'launch', agent: 1, amount: 1 },
    { do: 'buy', agent: 1, wallet: 0, amount: 9 },
  ])
})
beforeEach(async () => {
  await owner.unfreezeAgent({ id: 'agent_0' })
  await set({ maxTradeBNB: '5' })
})
afterAll(async () => {
  await follower.stop()
  await server.stop()
})

const buy = (amount = 1): Action => ({ do: 'buy', agent: 1, wallet: 0, amount })
const give = (amount = 1): Action => ({ do: 'transfer', agent: 1, wallet: 0, to: 3, amount })
const set = (rules: Partial<Parameters<typeof owner.updateControls>[0]>) =>
  owner.updateControls({
    id: 'agent_0',
    maxTradeBNB: null,
    maxDailyTradeBNB: null,
    allowedActions: null,
    approveTradesAboveBNB: null,
    ...rules,
  })

/** Adds a block whose time is later than everything that happened before, and applies it. */
async function mine(actions: Action[]): Promise<void> {
  while (GENESIS + chain.height * BLOCK_MS < clock.now().getTime() + BLOCK_MS) chain.mine()
  chain.mine(actions)
  clock.advance(GENESIS + chain.height * BLOCK_MS - clock.now().getTime())
  await follower.catchUp()
}

function prepare(more: Partial<PreparedTrade> = {}, options = {}): Promise<void> {
  const now = clock.now()
  const trade: PreparedTrade = {
    wallet: chain.wallets[0] ?? '',
    subject: chain.agents[1]?.subject ?? '',
    side: 'buy',
    amount: 1,
    receiver: null,
    worthWei: parseEther('0.1'),
    block: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + 10 * 60_000),
    ...more,
  }
  return insertPreparedTrade(db, server.deps, ada.id, trade, options)
}
const prepareGift = (more: Partial<PreparedTrade> = {}) =>
  prepare({ side: 'transfer', receiver: chain.wallets[3] ?? '', expiresAt: null, ...more })

const frozen = async () => (await owner.getOwnedAgent({ id: 'agent_0' })).controls.frozenReason
const last = async () => (await owner.getOwnedAgent({ id: 'agent_0' })).lastOutsideTrade
const notifications = async () => (await ada.client.listNotifications({ type: 'TRADE_OUTSIDE_RULES' })).meta.total
const audit = async () =>
  (await owner.listAuditEntries({ id: 'agent_0', action: 'tradeOutsideRules' })).data.map(({ summary }) => summary)
const events = async () => {
  const { rows } = await server.deps.database.pool.query<{ type: string }>(
    `select type from event where type = 'trade.outside' union all select type from event_draft where type = 'trade.outside'`,
  )
  return rows.length
}

describe('a trade that was not prepared for the agent', () => {
  test('freezes it at once, with an event, a notification for agent and owner, and a line in the log', async () => {
    await ada.client.updateNotificationPreferences({ muted: ['SHARE_SOLD'] })
    const listener = await server.listen(ada.client, ['notifications'])
    await mine([buy(2)])
    const trade = {
      agentId: ada.id,
      walletAddress: chain.wallets[0],
      side: 'buy',
      amount: 2,
      reason: 'not_prepared',
      revertedAt: null,
    }
    expect(await last()).toMatchObject(trade)
    expect(await frozen()).toContain('bought 2 shares of @agent_1 outside the rules')
    expect(await refused(ada.client.createTweet({ content: 'Still here' }))).toBe('403 AGENT_FROZEN')
    expect((await ada.client.listNotifications({ type: 'TRADE_OUTSIDE_RULES' })).data[0]).toMatchObject({
      fromAgent: null,
      tweet: null,
      outsideTrade: trade,
    })
    // The first page is made by the database.
    expect((await ada.client.listNotifications()).data[0]).toMatchObject({ outsideTrade: trade })
    const { data } = await owner.listOwnedAgentNotifications({ id: 'agent_0', type: 'TRADE_OUTSIDE_RULES' })
    expect(data[0]?.outsideTrade?.id).toBe((await last())?.id)
    expect(await audit()).toEqual([expect.stringContaining('bought 2 shares of @agent_1')])
    const received = await listener.take(3)
    expect(received.map(({ type }) => type).sort()).toEqual(['agent.frozen', 'notification.created', 'trade.outside'])
    await listener.stop()
  })

  test('is found for transfers too, and when it comes along with one that was', async () => {
    await prepareGift()
    await mine([give(), give()])
    expect(await last()).toMatchObject({
      side: 'transfer',
      to: chain.wallets[3],
      worthBNB: null,
      reason: 'not_prepared',
    })
  })

  test('is reported once, however often the chain is read, and says when a reorganisation removed it', async () => {
    await mine([buy(3)])
    const before = [await notifications(), await events()]
    const trade = await last()
    await follower.stop()
    follower = createShareFollower(server.deps, { chain, sleep })
    await owner.unfreezeAgent({ id: 'agent_0' })
    const moved = chain.drop(1)
    chain.mine()
    chain.mine()
    await follower.catchUp()
    expect((await last())?.revertedAt).toEqual(expect.any(String))
    expect((await audit())[0]).toContain('reorganisation')
    chain.mineAgain(moved)
    await follower.catchUp()
    expect(await last()).toEqual(trade)
    expect(await frozen()).toBeNull()
    expect([await notifications(), await events()]).toEqual(before)
  })

  test('does not unfreeze the agent when a reorganisation removes it', async () => {
    await mine([buy(4)])
    chain.drop(1)
    chain.mine()
    chain.mine()
    await follower.catchUp()
    expect(await frozen()).toContain('bought 4 shares')
  })

  test('does not matter for an agent without rules on trades, nor when it happened before them', async () => {
    await set({})
    await owner.updateControls({ id: 'agent_0', maxDailyPosts: 3 })
    const before = await notifications()
    await mine([buy(), give()])
    chain.mine([buy()])
    clock.advance(60_000)
    await set({ maxTradeBNB: '1' })
    await follower.catchUp()
    expect([await notifications(), await frozen()]).toEqual([before, null])
  })
})

describe('a prepared trade', () => {
  const outcome = async (...actions: Action[]) => {
    const before = await notifications()
    await mine(actions)
    return (await notifications()) > before ? (await last())?.reason : 'inside'
  }

  test('is inside the rules once: sent twice, the second is not', async () => {
    await prepare()
    expect(await outcome(buy())).toBe('inside')
    expect(await outcome(buy())).toBe('not_prepared')
  })

  test('is inside the rules after a reorganisation has moved it', async () => {
    await prepare()
    expect(await outcome(buy())).toBe('inside')
    const before = await notifications()
    const moved = chain.drop(1)
    chain.mineAgain(moved)
    chain.mine()
    await follower.catchUp()
    expect([await notifications(), await frozen()]).toEqual([before, null])
  })

  test('counts only for the amount, side and wallet that it was prepared for', async () => {
    await prepare({ amount: 2 })
    await prepare({ side: 'sell' })
    await prepare({ wallet: chain.wallets[1] ?? '' })
    expect(await outcome(buy())).toBe('not_prepared')
  })

  test('of another agent, quoted for this wallet before it had rules, does not count', async () => {
    const now = clock.now()
    await insertPreparedTrade(db, server.deps, bob.id, {
      wallet: chain.wallets[0] ?? '',
      subject: chain.agents[1]?.subject ?? '',
      side: 'buy',
      amount: 1,
      receiver: null,
      worthWei: 1n,
      block: 0,
      createdAt: now,
      expiresAt: new Date(now.getTime() + 600_000),
    })
    expect(await outcome(buy())).toBe('not_prepared')
  })

  test('for another agent of the wallet does not count', async () => {
    const { eve } = await server.seed.agents('eve')
    const wallet = chain.wallets[0] ?? ''
    await db.run(sql`update agent set wallet_address = ${wallet} where id = ${eve.id}`)
    const prepareForEve = () =>
      insertPreparedTrade(db, server.deps, eve.id, {
        wallet,
        subject: chain.agents[1]?.subject ?? '',
        side: 'transfer',
        amount: 1,
        receiver: chain.wallets[3] ?? '',
        worthWei: 1n,
        block: 0,
        createdAt: clock.now(),
        expiresAt: null,
      })
    await prepareForEve()
    expect(await outcome(give())).toBe('not_prepared')
    await owner.unfreezeAgent({ id: 'agent_0' })
    // What was prepared for the agent itself is taken first.
    await prepareForEve()
    await prepareGift()
    expect(await outcome(give())).toBe('inside')
    await db.run(sql`update agent set wallet_address = ${eve.wallet.address.toLowerCase()} where id = ${eve.id}`)
  })

  test('that sells is inside the rules when others have raised its price since', async () => {
    await set({ maxTradeBNB: '0.000001', maxDailyTradeBNB: '100' })
    await prepare({ side: 'sell', amount: 3, worthWei: 1n })
    expect(await outcome({ do: 'sell', agent: 1, wallet: 0, amount: 3 })).toBe('inside')
  })

  test('of the owner is not bound by the rules', async () => {
    await set({ maxTradeBNB: '0' })
    await prepare({}, { isOwners: true })
    expect(await outcome(buy())).toBe('inside')
  })

  test.each([
    ['frozen', () => owner.freezeAgent({ id: 'agent_0' })],
    ['not_allowed', () => set({ allowedActions: ['transfer'] })],
    ['above_trade_cap', () => set({ maxTradeBNB: '0.000001' })],
    ['above_daily_cap', () => set({ maxDailyTradeBNB: '0.000001' })],
    ['not_approved', () => set({ approveTradesAboveBNB: '0' })],
  ] as const)('is outside when the rules of its time say so: %s', async (reason, change) => {
    await prepare()
    await change()
    expect(await outcome(buy())).toBe(reason)
  })

  test('is inside when it was approved, and when caps are lifted before it is sent', async () => {
    await prepare({ approvalId: server.deps.ids.next() })
    await set({ approveTradesAboveBNB: '0' })
    expect(await outcome(buy())).toBe('inside')
    await prepareGift()
    await set({ maxTradeBNB: '0' })
    await set({ maxTradeBNB: '5' })
    expect(await outcome(give())).toBe('inside')
  })

  test('is held against the rules that were stored last, whatever time they bear', async () => {
    await set({ maxTradeBNB: '0.000001' })
    await db.run(sql`
      update agent_control set max_trade_wei = 1000000000000000000, updated_at = updated_at - interval '1 minute'
      where agent_id = ${ada.id}`)
    await prepare()
    expect(await outcome(buy())).toBe('inside')
  })

  test('is outside when it cost more than was approved', async () => {
    await prepare({ approvalId: server.deps.ids.next(), worthWei: 1n })
    await set({ approveTradesAboveBNB: '0' })
    expect(await outcome(buy())).toBe('not_approved')
  })

  test('is kept while the index is behind, so that a downtime freezes nobody', async () => {
    await prepare()
    chain.mine()
    chain.mine([buy()])
    clock.advance(5 * 24 * 60 * 60_000)
    await deleteOldPreparedTrades(server.deps)
    const before = await notifications()
    await follower.catchUp()
    owner = (await server.seed.login('agent_0')).client
    expect([await notifications(), await frozen()]).toEqual([before, null])
  })
})
