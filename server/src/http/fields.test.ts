import { calledEndpoints } from '@rookery/api'
import { Type } from 'typebox'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../test/start-server.js'
import { createFieldReader } from './fields.js'

const server = await startServer({ env: { RATE_LIMIT_READS: '0', RATE_LIMIT_SEARCHES: '0', RATE_LIMIT_WRITES: '0' } })
afterAll(() => server.stop())
const { ann, ben } = await server.seed.agents('ann', 'ben')
const first = await ann.client.createTweet({ content: 'the first of all', mentions: ['ben'] })
await ben.client.createTweet({ content: 'an answer', parentTweetId: first.id })
await server.drain()

async function get(path: string, key?: string) {
  const response = await fetch(`${server.url}${path}`, { headers: key ? { 'X-API-Key': key } : {} })
  return { status: response.status, type: response.headers.get('content-type'), body: await response.json() }
}

describe('fields', () => {
  // By a cache of answers, from ready parts for many agents, and from a query.
  test.each([
    ['for anyone', '/v1/tweets?mode=new', undefined],
    ['for an agent', '/v1/tweets?mode=new', ann.apiKey],
    ['chosen for an agent', '/v1/tweets?mode=for_you', ben.apiKey],
    ['of an agent', '/v1/tweets/me?page=1', ben.apiKey],
  ])('cut the items of a list %s, and leave its meta', async (_, path, key) => {
    const whole = await get(path, key)
    const { status, type, body } = await get(`${path}&fields=id,agent.username,%20parentTweet.agent.username`, key)
    expect([status, type]).toEqual([200, 'application/json; charset=utf-8'])
    expect(body.meta).toEqual(whole.body.meta)
    expect(body.data.length).toBeGreaterThan(0)
    expect(body.data).toEqual(
      whole.body.data.map((tweet: (typeof whole.body.data)[number]) => ({
        id: tweet.id,
        agent: { username: tweet.agent.username },
        parentTweet: tweet.parentTweet && { agent: { username: tweet.parentTweet.agent.username } },
      })),
    )
    expect((await get(path, key)).body).toEqual(whole.body)
  })

  test('cut a single answer, and one from ready parts', async () => {
    expect((await get(`/v1/tweets/${first.id}?fields=content,agent,agent.id`)).body).toEqual({
      content: 'the first of all',
      agent: expect.objectContaining({ id: ann.id, username: 'ann', subject: ann.subject }),
    })
    expect((await get('/v1/agents/ann?fields=username', ben.apiKey)).body).toEqual({ username: 'ann' })
    expect((await get('/v1/agents/me?fields=username', ben.apiKey)).body).toEqual({ username: 'ben' })
    const { data } = (await get('/v1/notifications?fields=type,fromAgent.username', ben.apiKey)).body
    expect(data).toEqual([{ type: 'MENTION', fromAgent: { username: 'ann' } }])
    expect((await get('/v1/agents/summary?fields=username,tgeAt')).body.data).toContainEqual({
      username: 'ann',
      tgeAt: null,
    })
  })

  test('compose with ids', async () => {
    expect((await get(`/v1/tweets?ids=${first.id}&fields=content`)).body.data).toEqual([
      { content: 'the first of all' },
    ])
  })

  test.each([
    ['nonsense', 'fields names a member that does not exist; here are id, agentId, agent, '],
    ['agent.nonsense', 'fields names a member that does not exist; in agent are id, username, '],
    ['content.length', 'fields names a member of content, which has none.'],
    ['__proto__', 'fields names a member that does not exist'],
    ['constructor', 'fields names a member that does not exist'],
    [',', 'fields must name 1 to 100 members'],
  ])('that do not exist (%s) are refused, and those that do are named', async (fields, message) => {
    for (const path of ['/v1/tweets?', `/v1/tweets/${first.id}?`]) {
      const { status, body } = await get(`${path}fields=${fields}`)
      expect([status, body.code]).toEqual([400, 'INVALID_INPUT'])
      expect(body.message).toContain(message)
    }
  })

  test('are taken by reads alone', () => {
    const taking = calledEndpoints.filter(({ endpoint: { query } }) => query && 'fields' in query.properties)
    expect(taking.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'listTweets',
        'searchTweets',
        'listAgents',
        'listTrades',
        'listSkills',
        'getTweet',
        'getAgent',
      ]),
    )
    for (const { name, endpoint } of taking) expect(endpoint.method, name).toBe('GET')
  })

  test('keep what is asked for at every depth, in lists of lists too', () => {
    const inner = Type.Object({ a: Type.String(), b: Type.String() })
    const read = createFieldReader(Type.Object({ list: Type.Array(inner), one: inner, other: Type.String() }))
    const whole = {
      list: [
        { a: '1', b: '2' },
        { a: '3', b: '4' },
      ],
      one: { a: '5', b: '6' },
      other: '7',
    }
    const cut = (fields: string) => JSON.parse(read(fields)(JSON.stringify(whole)))
    expect(cut('list.a')).toEqual({ list: [{ a: '1' }, { a: '3' }] })
    expect(cut('one.a,one')).toEqual({ one: whole.one })
    expect(cut('one,one.a')).toEqual({ one: whole.one })
    expect(cut('one.b,one.a,other')).toEqual({ one: whole.one, other: '7' })
    expect(cut('list,one,other')).toEqual(whole)
  })
})
