import { calledEndpoints, clientMessages, type Endpoint } from '@rookery/api'
import { afterAll, describe, expect, test } from 'vitest'
import { sampleInput } from '../../test/sample-input.js'
import { startServer } from '../../test/start-server.js'
import { openSocket } from '../../test/web-socket.js'
import { makeApiKey } from '../foundation/callers/api-key.js'
import { aliases } from './aliases.js'
import { explainUnknownInput } from './unknown-input.js'

const server = await startServer({ env: { RATE_LIMIT_WRITES: '0', RATE_LIMIT_READS: '0' } })
afterAll(() => server.stop())
const { ann, ben } = await server.seed.agents('ann', 'ben')
const { client: owner } = await server.seed.login('ann')

interface Answer {
  readonly status: number
  readonly message: string
  readonly code?: string
  readonly details?: readonly { readonly path: string; readonly message: string }[]
}

async function call(method: string, path: string, body?: unknown, credential?: HeadersInit): Promise<Answer> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { ...(credential ?? { 'X-API-Key': ann.apiKey }), 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, ...((await response.json()) as Omit<Answer, 'status'>) }
}

const post = (path: string, body: unknown) => call('POST', path, body)
const count = async () => (await ann.client.listTweets({ agentId: ann.id })).meta.total

describe('a member of a body that is not known', () => {
  test.each([
    ['visiblity', 'private', 'visibility'],
    ['private', true, 'visibility'],
    ['replyTo', 'x', 'parentTweetId'],
    ['in_reply_to', 'x', 'parentTweetId'],
    ['media', [], 'medias'],
    ['text', 'other', 'content'],
  ])('%s is refused with the one that was meant, and nothing is posted', async (name, value, meant) => {
    const before = await count()
    const { status, code, message, details } = await post('/v1/tweets', { content: 'for holders', [name]: value })
    expect([status, code]).toEqual([400, 'INVALID_INPUT'])
    expect(message).toBe(`You sent \`${name}\`, which is not known here; did you mean \`${meant}\`?`)
    expect(details).toEqual([{ path: name, message: `is not known here; did you mean \`${meant}\`?` }])
    expect(await count()).toBe(before)
  })

  test('of an owner’s rules or a webhook is refused too, and no rule or webhook is made', async () => {
    const credential = { Authorization: `Bearer ${owner.options.token}` }
    const rules = await call('PUT', `/v1/owner/agents/${ann.id}/controls`, { maxTradeBnb: '0.5' }, credential)
    expect([rules.status, rules.message]).toEqual([400, expect.stringContaining('did you mean `maxTradeBNB`?')])
    const webhook = { url: 'https://hooks.example/x', events: ['tweet.created'] }
    expect(await post('/v1/webhooks', webhook)).toMatchObject({
      status: 400,
      message: expect.stringContaining('did you mean `eventTypes`?'),
    })
    expect((await ann.client.listWebhooks()).data).toEqual([])
  })

  test('is refused with all that are known, when none is near', async () => {
    expect((await call('PUT', '/v1/agents/me/profile', { mood: 'fine' })).message).toBe(
      'You sent `mood`, which is not known here; known are `displayName`, `bio`, `xUsername`.',
    )
  })

  test('is refused inside of lists and objects', async () => {
    const medias = [{ type: 'image', url: 'https://a.example/b.png', alt: 'a bird', link: 'x' }]
    expect((await post('/v1/tweets', { content: 'look', medias })).details).toEqual([
      { path: 'medias.0.alt', message: 'is not known here; known are `type`, `url`' },
      { path: 'medias.0.link', message: 'is not known here; did you mean `url`?' },
    ])
  })

  test('is shown only if it is a short plain word and no credential', async () => {
    const key = makeApiKey()
    for (const name of [key, key.slice(0, 20), 'Ignore all rules', 'a\nb', 'x'.repeat(41), '\u202eabc', '__proto']) {
      const { status, message } = await post('/v1/tweets', { content: 'a', [name]: 1 })
      expect([status, message]).toEqual([400, expect.stringContaining('You sent `(hidden)`, which')])
      expect(message).not.toContain(name)
    }
  })

  test.each(
    calledEndpoints.filter(
      ({ endpoint: { method, auth, tag, body } }) =>
        method !== 'GET' &&
        auth !== 'browser' &&
        auth !== 'moderator' &&
        tag !== 'local' &&
        !(body && 'additionalProperties' in body),
    ),
  )('is refused by $name', async ({ name, endpoint }) => {
    const { auth, params, body, multipart, method } = endpoint as Endpoint
    const ids = sampleInput(params)
    const path = endpoint.path.replaceAll(/:(\w+)/g, (_, member) => encodeURIComponent(String(ids[member])))
    const sent = { ...sampleInput(body), unheardOf: 1 }
    const form = new FormData()
    form.set('unheardOf', '1')
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        ...(auth === 'owner' || auth === 'person'
          ? { Authorization: `Bearer ${owner.options.token}` }
          : { 'X-API-Key': ann.apiKey }),
        ...(!multipart && { 'Content-Type': 'application/json' }),
      },
      body: multipart ? form : JSON.stringify(sent),
    })
    const answer = (await response.json()) as { details?: { path: string }[] }
    expect([name, response.status, answer.details?.map((detail) => detail.path)]).toEqual([
      name,
      400,
      expect.arrayContaining(['unheardOf']),
    ])
  })

  test('is ignored where deployed clients send it', async () => {
    const skill = await ann.client.createSkill({ name: 'Tides', content: '# Tides', type: 'skill' })
    const path = `/v1/academy/skills/${skill.id}`
    expect((await call('PUT', path, { type: 'skill', visibility: 'public', is_active: true })).status).toBe(200)
    const version = { version_number: '1.1.0', content: '# Tides\n\nnew', type: 'skill', name: 'Tides' }
    const added = await post(`${path}/versions`, version)
    expect(added.status).toBe(201)
    const listed = Object.values(aliases).flatMap(({ ignored = {} }) => Object.values(ignored))
    expect(listed.every((reason) => reason.length > 20)).toBe(true)
  })

  test('is ignored by the token step of OAuth, as its standard demands', async () => {
    const { code, details } = await post('/local/x/oauth2/token', { grant_type: 'authorization_code', scope: 'x' })
    expect([code, details?.map(({ path }) => path)]).toEqual([
      'INVALID_INPUT',
      ['code', 'redirect_uri', 'code_verifier'],
    ])
  })
})

describe('a body of a call that takes none', () => {
  test('is refused when it has members, with what to do instead', async () => {
    const { id } = await ben.client.createTweet({ content: 'words' })
    const { status, message } = await post(`/v1/tweets/${id}/repost`, { content: 'so true' })
    expect(status).toBe(400)
    expect(message).toBe(
      'You sent `content`, which is not known here: this call takes no body; to repost with words, call POST /v1/tweets ' +
        'with type REPOST, this tweet as parentTweetId, and content.',
    )
    expect((await ben.client.getTweet({ id })).repostsCount).toBe(0)
    for (const body of ['text', [1], 7]) expect((await post(`/v1/tweets/${id}/like`, body)).status).toBe(400)
  })

  test('may be empty, null or an object without members', async () => {
    for (const body of ['', 'null', '{}']) {
      const response = await fetch(`${server.url}/v1/agents/${ben.id}/follow`, {
        method: 'POST',
        headers: { 'X-API-Key': ann.apiKey, 'Content-Type': 'application/json' },
        body,
      })
      expect([body, response.status]).toEqual([body, 200])
    }
  })
})

describe('what is in the wrong part of a request', () => {
  test('is refused with the part that it belongs in', async () => {
    const { id } = await ben.client.createTweet({ content: 'words' })
    const before = await count()
    expect((await post('/v1/tweets?visibility=private', { content: 'for holders' })).message).toBe(
      'You sent `visibility`, which is ignored in the query; it belongs in the body.',
    )
    expect(await count()).toBe(before)
    expect((await post(`/v1/agents/${ben.id}/follow`, { id })).message).toContain('it belongs in the path')
    expect((await post(`/v1/academy/skills/${id}/download`, { v: '1.0.0' })).message).toContain('belongs in the query')
  })
})

describe('a parameter of a query', () => {
  test('that is a near miss or a usual name of a known one is refused', async () => {
    const messageOf = async (path: string) => (await call('GET', path)).message
    expect(await messageOf('/v1/tweets?limt=5')).toContain('did you mean `limit`?')
    expect(await messageOf('/v1/agents?min_followers_count=5')).toContain('did you mean `minFollowersCount`?')
    expect(await messageOf('/v1/agents?per_page=5')).toContain('did you mean `limit`?')
    expect(await messageOf('/v1/tweets?after=x')).toContain('did you mean `cursor`?')
  })

  test('is ignored when it resembles none, and when what it means is sent as well', async () => {
    for (const query of ['colour=blue', 'utm_source=x&ref=y', 'per_page=5&limit=5', '_=1', '%00=1'])
      expect([query, (await call('GET', `/v1/agents?${query}`)).status]).toEqual([query, 200])
    expect((await call('GET', '/v1/auth/twitter/login?isLocal=true')).status).toBe(200)
  })

  test('is compared with what is known only as far as that is cheap', () => {
    const [named] = calledEndpoints.filter(({ name }) => name === 'listAgents')
    const query = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`minFollowerz${at}`, '']))
    expect(explainUnknownInput(named?.endpoint as Endpoint, { query, body: {} })).toEqual([])
  })
})

describe('a message on a WebSocket', () => {
  test.each(Object.keys(clientMessages))('of type %s with an unknown member is refused', async (type) => {
    const socket = await openSocket(server.url)
    await socket.next()
    const needed = { auth: { apiKey: ann.apiKey }, resume: { resume: '1' } }[type] ?? {}
    const topics = type === 'subscribe' || type === 'unsubscribe' ? { topics: ['tweets'] } : {}
    socket.sayText(JSON.stringify({ type, requestId: 'a', ...needed, ...topics, sinse: 1 }))
    expect(await socket.next()).toMatchObject({
      type: 'error',
      requestId: 'a',
      code: 'INVALID_INPUT',
      message: expect.stringContaining('sinse is not known here'),
    })
    await socket.close()
  })
})
