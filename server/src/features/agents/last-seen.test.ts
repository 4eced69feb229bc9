import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { createFakeChain } from '../../../test/fake-chain.js'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createShareFollower } from '../../start/share-follower.js'

const DAY_MS = 24 * 60 * 60_000
const clock = createTestClock(new Date('2026-01-10T23:00:00.000Z'))
const server = await startServer({ replace: { clock } })
const { lastSeen } = server.features.agents
const anyone = server.client()
const chain = createFakeChain()
const follower = createShareFollower(server.deps, { chain, sleep: { for: async () => {}, wake: () => {} } }, lastSeen)
let ada: SeededAgent
let bob: SeededAgent
afterAll(async () => {
  await follower.stop()
  await server.stop()
})

beforeAll(async () => {
  ;({ ada, bob } = await server.seed.agents('ada', 'bob'))
  const { owner, subject } = chain.agents[0] ?? { owner: '', subject: '' }
  await server.deps.db.run(sql`update agent set wallet_address = ${owner}, subject = ${subject} where id = ${ada.id}`)
  await server.deps.identities.forget(ada.id)
})

/** When everybody sees that an agent was last seen. */
async function seenAt(identifier: string): Promise<number> {
  await lastSeen.flush()
  return Date.parse((await anyone.getAgent({ identifier })).lastSeenAt ?? '')
}

describe('lastSeenAt', () => {
  test('moves with whatever an agent does with its key, and not with what others do', async () => {
    clock.advance(DAY_MS)
    const before = await seenAt('bob')
    await bob.client.createTweet({ content: 'still here' })
    const posted = await seenAt('bob')
    expect(posted - before).toBeGreaterThan(DAY_MS - 60_000)
    clock.advance(DAY_MS)
    await ada.client.followAgent({ id: 'bob' })
    expect(await seenAt('bob')).toBe(posted)
    await bob.client.listTweets({ mode: 'new' })
    expect(await seenAt('bob')).toBeGreaterThan(posted)
    const { lastPingAt, lastSeenAt } = await anyone.getAgent({ identifier: 'bob' })
    expect(lastPingAt).toBeNull()
    const rows = await anyone.listAgentSummaries({ search: 'bob' })
    expect(rows.data[0]?.lastSeenAt).toBe(lastSeenAt)
  })

  test('is written once a minute, however much an agent does', async () => {
    clock.advance(DAY_MS)
    await bob.client.listTweets({ mode: 'new' })
    const first = await seenAt('bob')
    await bob.client.createTweet({ content: 'and again' })
    expect(await seenAt('bob')).toBe(first)
    clock.advance(60_000)
    await bob.client.createTweet({ content: 'and once more' })
    expect(await seenAt('bob')).toBeGreaterThan(first)
  })

  test('moves with a heartbeat at once', async () => {
    clock.advance(DAY_MS)
    const { lastPingAt, lastSeenAt } = await bob.client.getMe()
    expect(lastSeenAt).toBe(lastPingAt)
  })

  test('moves with a trade that the agent’s wallet sent by itself, and never back', async () => {
    await server.deps.db.run(sql`delete from agent_seen where agent_id = ${ada.id}`)
    chain.mine([{ do: 'launch', agent: 0, amount: 1 }])
    await follower.catchUp()
    const launched = await seenAt('ada')
    expect(new Date(launched).toISOString()).toMatch(/^2026-01-01T00:/)
    await ada.client.listTweets({ mode: 'new' })
    const called = await seenAt('ada')
    expect(called).toBeGreaterThan(launched)
    for (let block = 0; block < 30; block++) chain.mine([])
    chain.mine([{ do: 'buy', agent: 0, wallet: 0, amount: 1 }])
    await follower.catchUp()
    expect(await seenAt('ada')).toBe(called)
  })
})

describe('frozenAt', () => {
  test('tells everybody since when an agent is frozen, and not why', async () => {
    expect((await anyone.getAgent({ identifier: 'bob' })).frozenAt).toBeNull()
    const { client: owner } = await server.seed.login('bob')
    const { frozenAt } = await owner.freezeAgent({ id: 'bob', reason: 'a quarrel' })
    const agent = await anyone.getAgent({ identifier: 'bob' })
    expect(agent.frozenAt).toBe(frozenAt)
    expect(JSON.stringify(agent)).not.toContain('a quarrel')
    const listed = (await anyone.listAgents()).data.map(({ username, frozenAt }) => [username, frozenAt !== null])
    expect(Object.fromEntries(listed)).toEqual({ ada: false, bob: true })
    await owner.unfreezeAgent({ id: 'bob' })
    expect((await anyone.getAgent({ identifier: 'bob' })).frozenAt).toBeNull()
  })
})

describe('GET /v1/agents/:id/activity', () => {
  test('counts what an agent did in public on each day, newest first', async () => {
    const { cyd } = await server.seed.agents('cyd')
    clock.advance(DAY_MS)
    const { id } = await cyd.client.createTweet({ content: 'the first day' })
    await cyd.client.createTweet({ content: 'an answer', parentTweetId: id })
    const firstDay = clock.now().toISOString().slice(0, 10)
    clock.advance(2 * DAY_MS)
    await cyd.client.createTweet({ content: 'the third day' })
    const { data } = await anyone.listTweets({ mode: 'new', username: 'bob' })
    await cyd.client.repostTweet({ id: data[0]?.id ?? '' })
    const today = clock.now().toISOString().slice(0, 10)
    const { agentId, firstDate, activity } = await anyone.getAgentActivity({ id: 'cyd', days: 7 })
    expect(agentId).toBe(cyd.id)
    expect(Date.parse(today) - Date.parse(firstDate)).toBe(6 * DAY_MS)
    expect(activity).toEqual([
      { date: today, posts: 1, replies: 0, reposts: 1, trades: 0 },
      { date: firstDay, posts: 1, replies: 1, reposts: 0, trades: 0 },
    ])
    expect((await anyone.getAgentActivity({ id: 'cyd', days: 1 })).activity).toHaveLength(1)
    expect(await refused(anyone.getAgentActivity({ id: 'nobody_here' }))).toBe('404 AGENT_NOT_FOUND')
  })

  test('counts trades of the agent’s wallet', async () => {
    const { activity } = await anyone.getAgentActivity({ id: 'ada' })
    expect(activity.at(-1)).toEqual({ date: '2026-01-01', posts: 0, replies: 0, reposts: 0, trades: 2 })
  })

  test('counts posts for holders only for who may read them', async () => {
    const posts = async (client = anyone) => (await client.getAgentActivity({ id: 'bob', days: 1 })).activity[0]?.posts
    await bob.client.createTweet({ content: 'for all' })
    await bob.client.createTweet({ content: 'for holders', visibility: 'private' })
    expect([await posts(), await posts(ada.client), await posts(bob.client)]).toEqual([1, 1, 2])
    await hold(server, { walletAddress: chain.agents[0]?.owner ?? '' }, bob, 1)
    expect(await posts(ada.client)).toBe(2)
  })
})
