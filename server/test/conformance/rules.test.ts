import { quoteBuy } from '@rookery/contracts'
import { parseEther } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { variables } from '../../src/config/config.js'
import { outcome } from '../refusal.js'
import type { SeededAgent } from '../seed.js'
import { startServer, type TestServer } from '../start-server.js'
import { openWorld, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const firstBuy = (buyer: SeededAgent, of: SeededAgent) =>
  outcome(
    buyer.client.getShareQuote({
      side: 'buy',
      sharesSubject: of.subject,
      amount: 1,
      walletAddress: buyer.wallet.address,
    }),
  )

describe('the life of an agent', () => {
  test('leads from registered to verified to tradeable, and only the owner buys the first share', async () => {
    const { market, bob } = world
    const { cleo } = await market.server.seed.pending('cleo')
    await market.fund(cleo)
    expect(cleo).toMatchObject({ status: 'pending', tradeable: false, xOwnerHandle: null })
    expect(await firstBuy(cleo, cleo)).toBe('400 AGENT_NOT_VERIFIED')
    const { postText } = await cleo.client.getAgentByClaim({ code: cleo.claimToken })
    const { url } = await cleo.client.createLocalPost({ handle: 'cleo_owner', text: postText })
    const verified = await cleo.client.verifyAgent({ tweetUrl: url })
    expect(verified).toMatchObject({ status: 'active' })
    expect(await firstBuy(bob, cleo)).toBe('400 ONLY_SUBJECT_CAN_BUY_FIRST_SHARE')
    await market.buy(cleo, cleo)
    expect(await cleo.client.getMe()).toMatchObject({ tradeable: true, totalSupply: 1, sharePriceBNB: '0.0000625' })
    await market.buy(bob, cleo)
    expect(await cleo.client.getMe()).toMatchObject({ totalSupply: 2, totalHolder: 2 })
  })

  test('lets a launched agent tweet, reply, repost, follow, unfollow, like and publish', async () => {
    const { client } = world.bob
    const { id } = world.tweet
    const done = [
      client.createTweet({ content: 'Mine' }),
      client.createTweet({ content: 'An answer', type: 'REPLY', parentTweetId: id }),
      client.repostTweet({ id }),
      client.followAgent({ id: 'ada' }).then(() => client.unfollowAgent({ id: 'ada' })),
      client.likeTweet({ id }),
      client.createSkill({ name: 'Mine', content: '# Mine\n\nWords.\n', type: 'skill' }),
    ]
    expect(await Promise.all(done.map(outcome))).toEqual(done.map(() => 'done'))
  })

  test('never ends: no call deletes an agent', async () => {
    const { id, apiKey, wallet } = world.ada
    const token = (await world.market.server.seed.login('ada')).token
    for (const who of [id, 'ada', 'me', wallet.address, 'owner/me', `owner/me/${id}`]) {
      for (const caller of [{}, { apiKey }, { token }]) {
        const { status } = await world.call('DELETE', `/v1/agents/${who}`, caller)
        expect([404, 405]).toContain(status)
      }
    }
    expect((await world.call('GET', '/v1/agents/ada')).status).toBe(200)
  })
})

describe('credentials', () => {
  test('are a key that starts with sk_ in X-API-Key, and a bearer JWT of an owner', async () => {
    expect(world.ada.apiKey).toMatch(/^sk_/)
    const { token } = await world.market.server.seed.login('ada')
    expect(token.split('.')).toHaveLength(3)
    const owner = await world.call('GET', '/v1/agents/owner/me', { token })
    expect(owner.json).toMatchObject({ owner: { xHandle: 'x_ada' }, agents: [{ username: 'ada' }] })
    expect((await world.call('GET', '/v1/agents/me', { token: world.ada.apiKey })).status).toBe(401)
  })
})

describe('POST /v1/tweets', () => {
  const post = async (body: object, apiKey = world.ada.apiKey) =>
    (await world.call('POST', '/v1/tweets', { apiKey, body })).status

  test('is 400 for invalid content and missing fields', async () => {
    const bodies = [
      {},
      { content: '' },
      { content: 7 },
      { content: 'x', type: 'REPLY' },
      { content: 'x', type: 'REPOST' },
    ]
    for (const body of bodies) expect([body, await post(body)]).toEqual([body, 400])
  })

  test('is 401 for an invalid key', async () => {
    expect(await post({ content: 'x' }, 'sk_wrong')).toBe(401)
  })

  test('is 404 for a reply or repost whose parent does not exist', async () => {
    const parentTweetId = '01900000-0000-7000-8000-000000000000'
    for (const type of ['REPLY', 'REPOST']) expect(await post({ content: 'x', type, parentTweetId })).toBe(404)
  })

  test('lets only the author delete', async () => {
    const { id } = await world.ada.client.createTweet({ content: 'Ada’s own' })
    expect((await world.call('DELETE', `/v1/tweets/${id}`, { apiKey: world.bob.apiKey })).status).toBe(403)
    expect((await world.call('DELETE', `/v1/tweets/${id}`, { apiKey: world.ada.apiKey })).status).toBe(200)
    expect((await world.call('GET', `/v1/tweets/${id}`)).status).toBe(404)
  })
})

describe('limits', () => {
  let limited: TestServer
  let ann: SeededAgent
  beforeAll(async () => {
    const names = ['RATE_LIMIT_READS', 'RATE_LIMIT_WRITES', 'RATE_LIMIT_SEARCHES'] as const
    limited = await startServer({ env: Object.fromEntries(names.map((name) => [name, variables[name].default])) })
    ;({ ann } = await limited.seed.agents('ann', 'ben'))
  })
  afterAll(() => limited.stop())

  test('are 100 reads, 30 writes and 20 searches a minute without any configuration', async () => {
    limited.clock.advance(60 * 60_000)
    const passed = async (count: number, call: () => Promise<unknown>) =>
      (await Promise.all(Array.from({ length: count }, () => outcome(call())))).filter((it) => it === 'done').length
    expect(await passed(110, () => ann.client.getAgent({ identifier: 'ben' }))).toBe(100)
    expect(await passed(40, () => ann.client.followAgent({ id: 'ben' }))).toBe(30)
    expect(await passed(30, () => ann.client.listAgents({ search: 'ben' }))).toBe(20)
  })

  test('do not cap the supply: the most the contract can count costs more than all BNB there is', () => {
    const ALL_BNB = parseEther('200000000')
    expect(quoteBuy(0n, 16_000_000n).priceWei).toBeGreaterThan(ALL_BNB * 100n)
  })
})
