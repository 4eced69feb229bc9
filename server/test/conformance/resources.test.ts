import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openWorld, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.stop())

const text = expect.any(String)
const number = expect.any(Number)
const bnb = expect.stringMatching(/^[0-9]+(\.[0-9]{1,18})?$/)
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const get = async (path: string, apiKey?: string) =>
  (await world.call('GET', path, apiKey === undefined ? {} : { apiKey })).json
const post = async (path: string, body: object, apiKey = world.ada.apiKey) =>
  (await world.call('POST', path, { apiKey, body })).json

describe('an agent', () => {
  test('has the nineteen fields of the specification, of their types', async () => {
    await world.call('GET', '/HEARTBEAT.md', { apiKey: world.ada.apiKey })
    expect(await get('/v1/agents/ada', world.bob.apiKey)).toMatchObject({
      id: world.ada.id,
      name: 'ada',
      username: 'ada',
      displayName: text,
      bio: text,
      walletAddress: world.ada.wallet.address.toLowerCase(),
      xUsername: 'x_ada',
      xOwnerHandle: 'x_ada',
      xOwnerName: text,
      followersCount: 1,
      followingCount: 0,
      sharePriceBNB: '0.0005625',
      holdingValueBNB: bnb,
      tradingVolBNB: bnb,
      totalSupply: 3,
      totalHolder: 2,
      yourShare: 1,
      lastPingAt: time,
      createdAt: time,
    })
  })

  test('is the same under /v1/agents/me, with the fields known of it', async () => {
    expect(await get('/v1/agents/me', world.ada.apiKey)).toMatchObject({
      id: world.ada.id,
      username: 'ada',
      displayName: text,
      bio: text,
      walletAddress: text,
      followersCount: number,
      sharePriceBNB: bnb,
      totalSupply: number,
      totalHolder: number,
    })
  })

  test('has a price of supply^2 / 16000, and the fees of its trades are 5 % and 5 %', async () => {
    const agent = await get('/v1/agents/ada')
    expect(Number(agent.sharePriceBNB)).toBe(agent.totalSupply ** 2 / 16_000)
    const { data } = await get(`/v1/trades?agentId=${world.ada.id}&limit=1`)
    const [{ priceBNB, protocolFeeBNB, subjectFeeBNB }] = data
    expect([protocolFeeBNB, subjectFeeBNB]).toEqual([String(Number(priceBNB) / 20), String(Number(priceBNB) / 20)])
  })
})

describe('a tweet', () => {
  test('is a public POST unless it says otherwise', async () => {
    const tweet = await post('/v1/tweets', { content: 'Plain' })
    expect(tweet).toMatchObject({ id: text, content: 'Plain', visibility: 'public', type: 'POST', parentTweetId: null })
    expect(tweet).toMatchObject({ medias: [], mentions: [] })
  })

  test('has the fields that were sent, and its parent where it has one', async () => {
    const { url } = (await world.call('POST', '/v1/upload/file', await form())).json
    const sent = { content: 'See', visibility: 'public', medias: [{ type: 'image', url }], mentions: ['bob'] }
    const reply = await post('/v1/tweets', { ...sent, type: 'REPLY', parentTweetId: world.tweet.id })
    const parent = { id: world.tweet.id, content: world.tweet.content }
    const expected = { ...sent, type: 'REPLY', parentTweetId: world.tweet.id, parentTweet: parent }
    // What is public needs no signature.
    const shown = { ...expected, medias: [{ type: 'image', url: url.split('?')[0] }] }
    expect(await get(`/v1/tweets/${reply.id}`)).toMatchObject(shown)
    const repost = await post('/v1/tweets', { content: '', type: 'REPOST', parentTweetId: world.tweet.id })
    expect(await get(`/v1/tweets/${repost.id}`)).toMatchObject({ type: 'REPOST', parentTweet: parent })
    expect(await get(`/v1/tweets/${world.tweet.id}`)).not.toMatchObject({ parentTweet: expect.anything() })
  })

  test('has isLiked in feeds only with a key', async () => {
    const [withKey] = (await get('/v1/tweets?mode=new', world.bob.apiKey)).data
    expect(withKey.isLiked).toBeTypeOf('boolean')
    const { data } = await get('/v1/tweets?mode=new')
    expect(data.length).toBeGreaterThan(0)
    for (const tweet of data) expect(tweet).not.toHaveProperty('isLiked')
  })

  const form = async () => ({ apiKey: world.ada.apiKey, body: await world.picture() })
})

describe('other records', () => {
  test('a holding says whose shares, how many and their value', async () => {
    const { data } = await get('/v1/share', world.bob.apiKey)
    const { id, username, displayName } = world.ada
    const ofAda = {
      agentId: id,
      agentUsername: username,
      agentDisplayName: displayName,
      amount: 1,
      valueBNB: '0.00025',
    }
    expect(data).toEqual(expect.arrayContaining([expect.objectContaining(ofAda)]))
  })

  test('the platform statistics have their five figures', async () => {
    expect(await get('/v1/stats/platform')).toMatchObject({
      totalClaws: 2,
      keyTrades: 3,
      totalTweets: number,
      volume: bnb,
      volume24h: bnb,
    })
  })

  test('the result of an upload has url, type and size', async () => {
    const answer = await world.call('POST', '/v1/upload/file', {
      apiKey: world.ada.apiKey,
      body: await world.picture(),
    })
    expect(answer.json).toMatchObject({ url: expect.stringMatching(/^https?:\/\//), type: 'image', size: number })
  })

  test('an item of the skill market is a skill, a workflow or a prompt, with versions', async () => {
    for (const type of ['skill', 'workflow', 'prompt']) {
      const item = await post('/v1/academy/skills', { name: `A ${type}`, content: '# Text\n\nWords.\n', type })
      expect(item).toMatchObject({ type, versions: [{ id: text, versionNumber: '1.0.0' }] })
    }
    expect(await post('/v1/academy/skills', { name: 'Else', content: 'x', type: 'else' })).toMatchObject({
      statusCode: 400,
    })
  })
})

describe('a notification', () => {
  test('has its fields; its tweet is null for FOLLOW and given for every other type', async () => {
    const { server } = world.market
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    await ann.client.followAgent({ id: 'ben' })
    await ben.client.followAgent({ id: 'ann' })
    const { id } = await ann.client.createTweet({ content: 'From ann' })
    await ben.client.likeTweet({ id })
    await ben.client.createTweet({ content: 'An answer', type: 'REPLY', parentTweetId: id })
    await ben.client.repostTweet({ id })
    await ben.client.createTweet({ content: 'For @ann' })
    await ben.client.createTweet({ content: 'For everybody' })
    await server.drain()
    const { data } = await get('/v1/notifications?limit=100', ann.apiKey)
    const byType = Object.fromEntries(data.map((it: { type: string }) => [it.type, it]))
    expect(Object.keys(byType).sort()).toEqual(['FOLLOW', 'LIKE', 'MENTION', 'NEW_TWEET', 'REPLY', 'REPOST'])
    for (const [type, notification] of Object.entries(byType)) {
      expect(notification, type).toMatchObject({
        id: text,
        type,
        isRead: false,
        fromAgent: { id: ben.id, username: 'ben', displayName: text },
        tweet: type === 'FOLLOW' ? null : { id: text, content: text },
        createdAt: time,
      })
    }
  })
})
