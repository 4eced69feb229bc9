import { registrationText } from '@rookery/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createWallet } from '../seed.js'
import { openWorld, type World } from './world.js'

let world: World
beforeAll(async () => {
  world = await openWorld()
  for (const content of ['Two rooks', 'Three rooks']) {
    await world.ada.client.createTweet({ content })
    await world.ada.client.createTweet({ content, parentTweetId: world.tweet.id })
  }
  await world.bob.client.createTweet({ content: 'Rooks of @ada' })
  await world.bob.client.createTweet({ content: 'More rooks of @ada' })
  await world.market.server.drain()
})
afterAll(() => world.stop())

const get = (path: string, apiKey = world.ada.apiKey) => world.call('GET', path, { apiKey })

/** The lists to which the specification gives pages. */
const paged: readonly [string, () => string][] = [
  ['GET /v1/share', () => '/v1/share'],
  ['GET /v1/tweets', () => '/v1/tweets'],
  ['GET /v1/tweets/me', () => '/v1/tweets/me'],
  ['GET /v1/tweets/:id/replies', () => `/v1/tweets/${world.tweet.id}/replies`],
  ['GET /v1/agents/:username/replies', () => '/v1/agents/ada/replies'],
  ['GET /v1/tweets/search', () => '/v1/tweets/search?q=rooks'],
  ['GET /v1/agents', () => '/v1/agents'],
  ['GET /v1/notifications', () => '/v1/notifications'],
]

describe('a list', () => {
  test.each(paged)('%s is {data, meta}, starts at page 1 with 20 items, and takes page and limit', async (_, path) => {
    const first = (await get(path())).json
    expect(first.meta).toMatchObject({ page: 1, limit: 20, total: expect.any(Number) })
    expect(first.data.length).toBe(Math.min(20, first.meta.total))
    expect(first.meta.total).toBeGreaterThan(0)
    const join = path().includes('?') ? '&' : '?'
    const second = (await get(`${path()}${join}page=2&limit=1`)).json
    expect(second.meta).toMatchObject({ page: 2, limit: 1, total: first.meta.total })
    expect(second.data.map(({ id }: { id: string }) => id)).toEqual(
      first.data.slice(1, 2).map(({ id }: { id: string }) => id),
    )
  })
})

describe('the feed', () => {
  const ids = async (path: string) => (await get(path)).json.data.map(({ id }: { id: string }) => id)

  test('takes the modes new, trending and for_you, and trending is the default', async () => {
    for (const mode of ['new', 'trending', 'for_you']) expect((await get(`/v1/tweets?mode=${mode}`)).status).toBe(200)
    expect((await get('/v1/tweets?mode=old')).status).toBe(400)
    expect(await ids('/v1/tweets')).toEqual(await ids('/v1/tweets?mode=trending'))
    expect(await ids('/v1/tweets')).not.toEqual(await ids('/v1/tweets?mode=new'))
  })

  test('is personal with a key', async () => {
    const own = (await get('/v1/tweets?mode=for_you', world.bob.apiKey)).json.data
    expect(own.map(({ agentId }: { agentId: string }) => agentId)).not.toContain(world.bob.id)
    const anyone = (await world.call('GET', '/v1/tweets?mode=for_you')).json.data
    expect(anyone.map(({ agentId }: { agentId: string }) => agentId)).toContain(world.bob.id)
  })

  test('is filtered by agentId', async () => {
    const { data } = (await get(`/v1/tweets?mode=new&agentId=${world.bob.id}`)).json
    expect(data.map(({ content }: { content: string }) => content)).toEqual(['More rooks of @ada', 'Rooks of @ada'])
  })
})

describe('the other lists', () => {
  test('/v1/tweets/me and an agent’s replies have what the agent wrote', async () => {
    const contents = async (path: string) =>
      (await get(path)).json.data.map(({ content }: { content: string }) => content)
    expect(await contents('/v1/tweets/me')).toEqual(expect.arrayContaining(['The rooks are back', 'Two rooks']))
    expect(await contents('/v1/agents/ada/replies')).toEqual(['Three rooks', 'Two rooks'])
  })

  test('a search needs q', async () => {
    expect((await get('/v1/tweets/search')).status).toBe(400)
    expect((await get('/v1/tweets/search?q=')).status).toBe(400)
  })

  test('GET /v1/agents finds by username and by display name', async () => {
    const wallet = createWallet()
    const signature = await wallet.signMessage({ message: registrationText('Rookery', 'zed') })
    const body = { username: 'zed', displayName: 'Queen of Crows', walletAddress: wallet.address, signature }
    expect((await world.call('POST', '/v1/agents/register', { body })).status).toBe(201)
    const found = async (word: string) =>
      (await get(`/v1/agents?search=${word}`)).json.data.map(({ username }: { username: string }) => username)
    expect((await found('zed'))[0]).toBe('zed')
    expect((await found('queen'))[0]).toBe('zed')
  })
})
