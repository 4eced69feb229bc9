import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { afterAll, beforeEach, describe, expect, expectTypeOf, test, vi } from 'vitest'
import { createClient } from './client.js'
import { isRookeryError, RookeryError } from './errors.js'
import { items } from './pages.js'
import { readRetryAfter } from './retry.js'

interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

/** Answers in turn; the last answer is repeated. */
type Answer = (response: ServerResponse, seen: Seen) => void

const seen: Seen[] = []
let answers: Answer[] = []

const server = createServer(async (request, response) => {
  let body = ''
  for await (const chunk of request) body += chunk
  const it = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body }
  seen.push(it)
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  answer?.(response, it)
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const { port } = server.address() as { port: number }
const baseUrl = `http://127.0.0.1:${port}/`
afterAll(() => void server.close())

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
const refusal = (status: number, code: string, headers?: Record<string, string>) =>
  json(
    status,
    { statusCode: status, code, message: `${code}.`, details: [{ path: 'x', message: 'is wrong' }], requestId: 'r1' },
    headers,
  )
const dropped: Answer = (response) => void response.destroy()

beforeEach(() => {
  seen.length = 0
  answers = [json(200, {})]
})

describe('a call', () => {
  test('puts each member of the flat input where the endpoint wants it', async () => {
    const client = createClient({ baseUrl, apiKey: 'sk_key' })
    await client.getAgent({ identifier: 'a/b c' })
    await client.listAgents({ search: 'x&y', limit: 5 })
    await client.updateBio({ bio: 'hello' })
    expect(seen.map(({ method, url, body }) => `${method} ${url} ${body}`.trim())).toEqual([
      'GET /v1/agents/a%2Fb%20c',
      'GET /v1/agents?limit=5&search=x%26y',
      'PUT /v1/agents/me/bio {"bio":"hello"}',
    ])
    expect(seen.every(({ headers }) => headers['x-api-key'] === 'sk_key')).toBe(true)
    expect(seen.map(({ headers }) => headers['idempotency-key'] !== undefined)).toEqual([false, false, true])
  })

  test('sends what looks like a missing member of a write along, so that the service refuses it', async () => {
    const client = createClient({ baseUrl })
    const post = { content: 'for holders', visiblity: 'private', createdAt: 'now' }
    await client.createTweet(post)
    await client.createTweet({ content: 'hi', private: true } as { content: string })
    const wide = { id: '1', content: 'private words' }
    await client.likeTweet(wide)
    await client.getTweet(wide)
    expect(seen.map(({ url, body }) => `${url} ${body}`.trim())).toEqual([
      '/v1/tweets {"content":"for holders","visiblity":"private"}',
      '/v1/tweets {"content":"hi","private":true}',
      '/v1/tweets/1/like',
      '/v1/tweets/1',
    ])
  })

  test('refuses a member that would shorten the path, and names it', async () => {
    const client = createClient({ baseUrl, apiKey: 'sk_key' })
    for (const value of ['.', '..']) {
      const calls = [() => client.getAgent({ identifier: value }), () => client.likeTweet({ id: value })]
      const failures = await Promise.all(calls.map((call) => call().catch((it: unknown) => it)))
      expect(failures).toEqual(
        ['identifier', 'id'].map((path) =>
          expect.objectContaining({
            status: 400,
            code: 'INVALID_INPUT',
            details: [{ path, message: `“${value}” cannot be part of a path.` }],
          }),
        ),
      )
    }
    expect(seen).toEqual([])
    await client.getAgent({ identifier: '%2e%2e' })
    await client.getAgent({ identifier: '../x' })
    expect(seen.map(({ url }) => url)).toEqual(['/v1/agents/%252e%252e', '/v1/agents/..%2Fx'])
  })

  test('sends files as a form, and the same again when it is repeated', async () => {
    answers = [dropped, json(201, { url: 'x' })]
    await createClient({ baseUrl }).uploadFile({ file: new File(['the content'], 'cat.png') })
    for (const { headers, body } of seen) {
      expect(headers['content-type']).toMatch(/^multipart\/form-data; boundary=/)
      expect(body).toMatch(/name="file"; filename="cat.png"[\s\S]+\r\n\r\nthe content\r\n/)
    }
    expect(seen).toHaveLength(2)
  })

  test('asks for some members of an answer, each of which may then be missing', async () => {
    answers = [json(200, { data: [{ id: '1', agent: { username: 'ada' } }], meta: { nextCursor: null } })]
    const client = createClient({ baseUrl })
    const cut = await client.listTweets({ ids: '1,2', fields: 'id,agent.username' })
    expect(seen.at(-1)?.url).toBe('/v1/tweets?fields=id%2Cagent.username&ids=1%2C2')
    expect(cut.data[0]?.agent?.username).toBe('ada')
    expectTypeOf(cut.data[0]?.content).toEqualTypeOf<string | undefined>()
    expectTypeOf((await client.listTweets({ ids: '1' })).data[0]?.agent.username).toEqualTypeOf<string | undefined>()
    expectTypeOf((await client.getTweet({ id: '1' })).content).toEqualTypeOf<string>()
  })

  test('changes its credential as a whole', async () => {
    const owner = createClient({ baseUrl, apiKey: 'sk_key' }).as({ token: 'jwt' })
    await owner.getConfig()
    expect([seen[0]?.headers['x-api-key'], seen[0]?.headers.authorization]).toEqual([undefined, 'Bearer jwt'])
  })

  test('takes no credential along when it is redirected, and says where it would lead', async () => {
    const location = `http://localhost:${port}/elsewhere`
    for (const status of [301, 302, 303, 307, 308]) {
      seen.length = 0
      answers = [json(status, {}, { Location: location })]
      const client = createClient({ baseUrl, apiKey: 'sk_key' })
      const calls = [
        () => client.getConfig(),
        () => client.updateBio({ bio: 'hello' }),
        () => client.events({ topics: ['trades'] }).next(),
      ]
      for (const call of calls)
        expect(await call().catch((it) => it)).toMatchObject({
          name: 'RookeryError',
          status,
          message: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+ redirects this call to http:\/\/localhost:\d+,/),
        })
      expect(seen.map(({ url }) => url)).toEqual(['/v1/config', '/v1/agents/me/bio', '/v1/events?topics=trades'])
    }
  })

  test('gives a document as text', async () => {
    answers = [(response) => void response.writeHead(200, { 'Content-Type': 'text/plain' }).end('up 1\n')]
    expect(await createClient({ baseUrl }).getMetrics()).toBe('up 1\n')
  })
})

describe('a refusal', () => {
  test('is an error with code, details and request id, and is not repeated', async () => {
    answers = [refusal(404, 'AGENT_NOT_FOUND')]
    const error = await createClient({ baseUrl })
      .getAgent({ identifier: 'x' })
      .catch((it) => it)
    expect(error).toBeInstanceOf(RookeryError)
    expect(error).toMatchObject({
      status: 404,
      code: 'AGENT_NOT_FOUND',
      message: 'AGENT_NOT_FOUND.',
      requestId: 'r1',
      details: [{ path: 'x', message: 'is wrong' }],
    })
    expect(seen).toHaveLength(1)
  })

  test('is told apart by its code', () => {
    const error: unknown = new RookeryError(404, { code: 'AGENT_NOT_FOUND', message: 'No.' }, undefined)
    expect(isRookeryError(error)).toBe(true)
    expect(isRookeryError(error, 'TWEET_NOT_FOUND')).toBe(false)
    expect(isRookeryError(error, 'TWEET_NOT_FOUND', 'AGENT_NOT_FOUND')).toBe(true)
    expect(isRookeryError(new Error('AGENT_NOT_FOUND'), 'AGENT_NOT_FOUND')).toBe(false)
    if (isRookeryError(error, 'AGENT_NOT_FOUND')) expectTypeOf(error.code).toEqualTypeOf<'AGENT_NOT_FOUND'>()
  })

  test('that is not in our form is still an error', async () => {
    answers = [(response) => void response.writeHead(400, { 'Content-Type': 'text/html' }).end('<h1>Bad Gateway</h1>')]
    expect(
      await createClient({ baseUrl })
        .getConfig()
        .catch((it) => it),
    ).toMatchObject({ status: 400, code: 'INTERNAL' })
  })
})

describe('what may pass', () => {
  test.each([
    ['a dropped connection', dropped],
    ['a fault of the server', refusal(500, 'INTERNAL')],
    ['a limit that says how long to wait', refusal(429, 'RATE_LIMITED', { 'Retry-After': '0' })],
    ['a first attempt that still runs', refusal(409, 'IDEMPOTENCY_IN_PROGRESS', { 'Retry-After': '0' })],
  ])('%s is tried again with the same Idempotency-Key', async (_, trouble) => {
    answers = [trouble, json(200, { bio: 'done' })]
    expect(await createClient({ baseUrl }).updateBio({ bio: 'x' })).toEqual({ bio: 'done' })
    expect(seen).toHaveLength(2)
    expect(seen[1]?.headers['idempotency-key']).toBe(seen[0]?.headers['idempotency-key'])
  })

  test('fails in the end, and at once when the wait is too long or the caller gives up', async () => {
    answers = [refusal(500, 'INTERNAL')]
    await expect(createClient({ baseUrl, attempts: 2 }).getConfig()).rejects.toMatchObject({ status: 500 })
    expect(seen).toHaveLength(2)
    answers = [refusal(429, 'RATE_LIMITED', { 'Retry-After': '3600' })]
    await expect(createClient({ baseUrl }).getConfig()).rejects.toMatchObject({ retryAfterSeconds: 3600 })
    expect(seen).toHaveLength(3)
    const signal = AbortSignal.abort()
    await expect(createClient({ baseUrl }).getConfig({}, { signal })).rejects.toThrow()
    expect(seen).toHaveLength(3)
  })

  test('is not waited for any longer when the caller gives up meanwhile', async () => {
    answers = [refusal(503, 'NOT_READY', { 'Retry-After': '50' })]
    const giving = new AbortController()
    const reason = new Error('enough')
    const call = createClient({ baseUrl }).getConfig({}, { signal: giving.signal })
    await vi.waitFor(() => expect(seen).toHaveLength(1))
    giving.abort(reason)
    await expect(call).rejects.toBe(reason)
    expect(seen).toHaveLength(1)
  })

  test('is not tried again where a write may be applied twice, unless it was refused', async () => {
    answers = [dropped]
    const browser = createClient({ baseUrl })
    await expect(browser.renewBrowserSession()).rejects.toThrow()
    answers = [refusal(500, 'INTERNAL')]
    await expect(browser.renewBrowserSession()).rejects.toMatchObject({ status: 500 })
    expect(seen).toHaveLength(2)
    answers = [refusal(429, 'RATE_LIMITED', { 'Retry-After': '0' }), json(200, { token: 'x' })]
    await expect(browser.renewBrowserSession()).resolves.toEqual({ token: 'x' })
  })

  test('an answer that the caller does not accept is not asked for again', async () => {
    const onAnswer = () => {
      throw new Error('not this one')
    }
    await expect(createClient({ baseUrl, onAnswer }).getConfig()).rejects.toThrow('not this one')
    expect(seen).toHaveLength(1)
  })

  test.each([
    ['120', 120],
    ['0', 0],
    ['Wed, 18 Nov 2026 00:00:30 GMT', 30],
    ['Wed, 18 Nov 2026 00:00:00 GMT', 0],
    ['soon', undefined],
    [null, undefined],
  ])('Retry-After: %s means %s', (header, seconds) => {
    expect(readRetryAfter(header, Date.parse('2026-11-18T00:00:00Z'))).toBe(seconds)
  })

  test('a server that never answers is given up', async () => {
    answers = [() => {}]
    await expect(createClient({ baseUrl, attempts: 1, timeoutMs: 50 }).getConfig()).rejects.toThrow(/timeout/i)
  })
})

describe('items', () => {
  test('follow the cursor to the end, and stop early when the reader does', async () => {
    answers = [
      (response, it) => {
        const cursor = new URL(it.url, baseUrl).searchParams.get('cursor')
        const page = Number(cursor ?? 0)
        json(200, {
          data: [page * 2, page * 2 + 1],
          meta: { total: 6, nextCursor: page < 2 ? String(page + 1) : null },
        })(response, it)
      },
    ]
    const client = createClient({ baseUrl })
    const all: unknown[] = []
    for await (const item of items(client.listAgents, { limit: 2 })) all.push(item)
    expect(all).toEqual([0, 1, 2, 3, 4, 5])
    expect(seen).toHaveLength(3)
    for await (const _ of items(client.listAgents, { limit: 2 })) break
    expect(seen).toHaveLength(4)
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(items(client.listAgents, {}, { signal }).next()).rejects.toThrow('enough')
  })
})
