import type { LiveEvent, Notification } from '@rookery/api'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { createFakeChain } from '../../../test/fake-chain.js'
import { startReceiver } from '../../../test/receiver.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createShareFollower } from '../../start/share-follower.js'
import { createWebhookDispatcher } from '../webhooks/start.js'

/** The time of the fake chain's first block. */
const GENESIS = Date.parse('2026-01-01T00:00:00.000Z')
const SECONDS_PER_BLOCK = 3
const clock = createTestClock(new Date(GENESIS + 60 * 60_000))
const server = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'yes' }, replace: { clock } })
const chain = createFakeChain()
const sleep = { for: async () => {}, wake: () => {} }
const follower = createShareFollower(server.deps, { chain, sleep })
let ada: SeededAgent
let bob: SeededAgent
/** Wallet 1 is Bob's; this one belongs to no agent. */
const STRANGER = 4

beforeAll(async () => {
  ;({ agent_0: ada, agent_1: bob } = await server.seed.agents('agent_0', 'agent_1'))
  for (const [n, { id }] of [ada, bob].entries()) {
    const { owner, subject } = chain.agents[n] ?? { owner: '', subject: '' }
    await server.deps.db.run(sql`update agent set wallet_address = ${owner}, subject = ${subject} where id = ${id}`)
    await server.deps.identities.forget(id)
  }
  // Ada's wallet has an older agent, which stands for it as a trader.
  await server.deps.db.run(sql`
    insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
    values (${server.deps.ids.next()}, 'elder', 'elder', 'elder', ${chain.agents[0]?.owner}, ${chain.wallets[3]}, 'active',
      '2020-01-01', '2020-01-01')`)
  await mine([{ do: 'launch', agent: 0, amount: 1 }])
})
afterAll(async () => {
  await follower.stop()
  await server.stop()
})

async function mine(...actions: Parameters<typeof chain.mine>): Promise<void> {
  chain.mine(...actions)
  await follower.catchUp()
}

const words = ({ type, fromAgent, trade }: Notification) =>
  `${type} ${fromAgent?.username ?? 'nobody'} ${trade?.traderAddress} ${trade?.shareAmount} ${trade?.priceBNB}`

const list = async (agent = ada) => (await agent.client.listNotifications({ limit: 100 })).data
const unread = async (agent = ada) => (await agent.client.countUnreadNotifications()).count

describe('notifications of trades', () => {
  test('say who bought or sold how many of the agent’s shares at which price, but not what its own wallet did', async () => {
    expect(await list()).toEqual([])
    await mine([{ do: 'buy', agent: 0, wallet: 0, amount: 1 }])
    expect(await list()).toEqual([])
    await mine([{ do: 'buy', agent: 0, wallet: 1, amount: 2 }])
    await mine([{ do: 'sell', agent: 0, wallet: 1, amount: 1 }])
    await mine([{ do: 'buy', agent: 0, wallet: STRANGER, amount: 1 }])
    const [byStranger, sold, bought, ...others] = await list()
    expect(others).toEqual([])
    expect([byStranger, sold, bought].map((one) => one && words(one))).toEqual([
      `SHARE_BOUGHT nobody ${chain.wallets[STRANGER]} 1 0.0005625`,
      `SHARE_SOLD agent_1 ${chain.wallets[1]} 1 0.0005625`,
      `SHARE_BOUGHT agent_1 ${chain.wallets[1]} 2 0.0008125`,
    ])
    const { data: trades } = await server.client().listTrades({ username: 'agent_0' })
    expect(bought).toMatchObject({
      isRead: false,
      tweet: null,
      fromAgent: { id: bob.id },
      trade: {
        id: trades[2]?.id,
        transactionHash: trades[2]?.transactionHash,
        priceWei: '812500000000000',
        subjectFeeBNB: '0.000040625',
        subjectFeeWei: '40625000000000',
        tradedAt: new Date((trades[2]?.blockTimeUnix ?? 0) * 1000).toISOString(),
      },
    })
    expect((await ada.client.listNotifications()).data).toEqual([byStranger, sold, bought])
    expect(await ada.client.getNotification({ id: byStranger?.id ?? '' })).toEqual(byStranger)
    expect((await ada.client.listNotifications({ type: 'SHARE_SOLD' })).data).toEqual([sold])
    expect([await unread(), await unread(bob)]).toEqual([3, 0])
    const heartbeat = await ada.client.getHeartbeat()
    expect(heartbeat).toContain('SHARE_BOUGHT 2')
    expect(heartbeat).toContain('- Sales of your shares: 1')
    await ada.client.markAllNotificationsRead()
  })

  test('go out live and by webhook, once each', async () => {
    const receiver = await startReceiver()
    await server.deps.orderer.settle()
    const { webhook } = await ada.client.createWebhook({ url: receiver.url, eventTypes: ['notification.created'] })
    const live = await server.listen(ada.client, ['notifications'])
    await mine([{ do: 'buy', agent: 0, wallet: STRANGER, amount: 1 }])
    await mine([{ do: 'sell', agent: 0, wallet: 1, amount: 1 }])
    const shown = (event: LiveEvent) => event.type === 'notification.created' && words(event.data)
    const expected = (await list()).slice(0, 2).map(words).reverse()
    expect((await live.take(2)).map(shown)).toEqual(expected)
    await live.stop()
    await createWebhookDispatcher(server.deps).drain()
    await server.drain()
    expect(receiver.received.map(({ body }) => shown(JSON.parse(body)))).toEqual(expected)
    await ada.client.deleteWebhook({ id: webhook.id })
    await receiver.stop()
  })

  test('disappear with a block that the chain drops, and come back once with the trade', async () => {
    await ada.client.markAllNotificationsRead()
    const before = await list()
    await mine([{ do: 'buy', agent: 0, wallet: STRANGER, amount: 2 }])
    expect(await unread()).toBe(1)
    const dropped = chain.drop(1)
    chain.mine()
    chain.mine()
    await follower.catchUp()
    expect([await list(), await unread()]).toEqual([before, 0])
    chain.mineAgain(dropped)
    await follower.catchUp()
    await follower.catchUp()
    expect((await list()).map(words)).toEqual([
      `SHARE_BOUGHT nobody ${chain.wallets[STRANGER]} 2 ${(await list())[0]?.trade?.priceBNB}`,
      ...before.map(words),
    ])
    expect(await unread()).toBe(1)
  })

  test('are not written for types that the agent has muted', async () => {
    const before = (await list()).length
    expect(await ada.client.getNotificationPreferences()).toEqual({ muted: [] })
    expect(await ada.client.updateNotificationPreferences({ muted: ['SHARE_SOLD', 'LIKE'] })).toEqual({
      muted: ['LIKE', 'SHARE_SOLD'],
    })
    const tweet = await ada.client.createTweet({ content: 'like me quietly, @agent_1' })
    await bob.client.likeTweet({ id: tweet.id })
    await mine([{ do: 'sell', agent: 0, wallet: STRANGER, amount: 1 }])
    await mine([{ do: 'buy', agent: 0, wallet: STRANGER, amount: 1 }])
    expect((await list()).slice(0, -before).map(({ type }) => type)).toEqual(['SHARE_BOUGHT'])
    expect(await ada.client.updateNotificationPreferences({ muted: [] })).toEqual({ muted: [] })
    await mine([{ do: 'sell', agent: 0, wallet: STRANGER, amount: 1 }])
    expect((await list()).slice(0, -before).map(({ type }) => type)).toEqual(['SHARE_SOLD', 'SHARE_BOUGHT'])
    await bob.client.updateNotificationPreferences({ muted: ['MENTION'] })
    await server.drain()
    expect(await list(bob)).toEqual([])
    const wrong = { muted: ['SHARE_LOST'] } as never
    expect(await refused(ada.client.updateNotificationPreferences(wrong))).toBe('400 INVALID_INPUT')
  })

  test('of blocks that are caught up with are written for the last day only', async () => {
    await ada.client.markAllNotificationsRead()
    const [newest] = await list()
    chain.mine([{ do: 'buy', agent: 0, wallet: STRANGER, amount: 7 }])
    for (let n = 0; n < 200; n++) chain.mine()
    const dayAgo = GENESIS + chain.height * SECONDS_PER_BLOCK * 1000
    chain.mine([{ do: 'buy', agent: 0, wallet: STRANGER, amount: 8 }])
    for (let n = 0; n < 200; n++) chain.mine()
    clock.advance(dayAgo + 24 * 60 * 60_000 - clock.now().getTime())
    await follower.catchUp()
    const { data: trades } = await server.client().listTrades({ username: 'agent_0' })
    expect(trades.slice(0, 2).map(({ shareAmount }) => shareAmount)).toEqual([8, 7])
    const [latest, before] = await list()
    expect([latest?.trade?.shareAmount, before?.id, await unread()]).toEqual([8, newest?.id, 1])
  })
})
