import { request } from 'node:http'
import { connect } from 'node:net'
import { endpointList } from '@rookery/api'
import type { EmbeddedChain } from '@rookery/embedded-chain'
import { afterAll, describe, expect, test } from 'vitest'
import { refused } from '../../test/refusal.js'
import { startServer } from '../../test/start-server.js'
import { createApp } from '../app.js'
import { createMetrics } from '../foundation/metrics.js'

const server = await startServer({
  env: { WEB_ORIGINS: 'https://rookery.example,http://localhost:5173', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' },
})
afterAll(() => server.stop())

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' })
const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: 'POST', body, headers: { 'Content-Type': 'application/json', ...headers } })

const forged = (place: unknown[]) => Buffer.from(JSON.stringify(place)).toString('base64url')

describe('an error', () => {
  test('has the agreed shape and repeats the request id in a header', async () => {
    const response = await get('/v1/agents/nobody', { 'X-Request-Id': 'my-request-1' })
    expect(response.headers.get('x-request-id')).toBe('my-request-1')
    expect(await response.json()).toEqual({
      statusCode: 404,
      code: 'AGENT_NOT_FOUND',
      message: 'No agent has this id, username or address.',
      error: 'Not Found',
      requestId: 'my-request-1',
      docs: `${server.config.webUrl}/docs/errors.md#agent_not_found`,
    })
  })

  test.each(['/v1/agents/%zz', `/v1/agents/${'x'.repeat(600)}`])(
    'of the router on %.20s has the headers of every other',
    async (path) => {
      const response = await get(path)
      const { requestId, message } = await response.json()
      expect(response.headers.get('x-request-id')).toBe(requestId)
      expect(response.headers.get('x-content-type-options')).toBe('nosniff')
      expect(message).not.toContain('/v1/agents')
    },
  )

  test('is not caused by an expectation that nobody knows', async () => {
    const { status, body } = await new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request(`${server.url}/v1/skill-version`, { headers: { Expect: 'something else' } }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (text: string) => {
          body += text
        })
        response.on('end', () => resolve({ status: response.statusCode, body }))
      })
        .on('error', reject)
        .end()
    })
    expect([status, JSON.parse(body)]).toEqual([200, expect.any(Object)])
  })

  test('answers a bad request id with a new one', async () => {
    const response = await get('/v1/health', { 'X-Request-Id': 'no spaces allowed' })
    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    ['/v1/agents/%zz', 'GET', '', 400, 'INVALID_INPUT'],
    ['/nowhere', 'GET', '', 404, 'NOT_FOUND'],
    ['/v1/agents/', 'GET', '', 404, 'AGENT_NOT_FOUND'],
    ['/v1/agents/me/', 'GET', '', 404, 'NOT_FOUND'],
    ['/local/x/posts', 'POST', '{"handle":', 400, 'INVALID_JSON'],
    ['/local/x/posts', 'POST', '[]', 400, 'INVALID_INPUT'],
    ['/local/x/posts', 'POST', '"text"', 400, 'INVALID_INPUT'],
    ['/local/x/posts', 'POST', 'null', 400, 'INVALID_INPUT'],
    ['/local/x/posts', 'POST', '{"__proto__":{"a":1}}', 400, 'INVALID_JSON'],
    ['/local/x/posts', 'POST', '{"handle":"a","text":"nul \\u0000"}', 400, 'INVALID_INPUT'],
    ['/local/x/posts', 'POST', JSON.stringify({ handle: 'a', text: 'x'.repeat(1_100_000) }), 413, 'PAYLOAD_TOO_LARGE'],
  ])('on %s %s with %.30s is %i %s', async (path, method, body, status, code) => {
    const response = method === 'GET' ? await get(path) : await post(path, body)
    expect([response.status, (await response.json()).code]).toEqual([status, code])
  })

  test.each([
    ['/v1/tweets/search?q=x&since=2016-12-31T23:59:60Z', 'since'],
    ['/v1/tweets/search?q=x&until=0000-01-01T00:00:00Z', 'until'],
    ['/v1/tweets/search?q=x&until=2026-01-01T00:00:00%2B23:00', 'until'],
    [`/v1/tweets/search?q=x&cursor=${forged(['search', 'x', 2 ** 50, 0])}`, 'cursor'],
  ])('names what %s has wrong', async (path, field) => {
    const response = await get(path)
    expect([response.status, (await response.json()).details?.[0]?.path]).toEqual([400, field])
  })

  test('is not caused by a cursor from long ago or far ahead', async () => {
    const { hal } = await server.seed.agents('hal')
    for (const time of [0, 10 ** 15, 7 * 10 ** 15]) {
      const path = `/v1/tweets?mode=for_you&cursor=${forged(['for_you', time, 0])}`
      expect((await get(path, { 'X-API-Key': hal.apiKey })).status).toBe(200)
    }
  })

  test('lists only some of very many faults, and names the member that is nested too deeply', async () => {
    const { gus } = await server.seed.agents('gus')
    const headers = { 'X-API-Key': gus.apiKey }
    const many = JSON.stringify({ notificationIds: Array(200_000).fill(0) })
    const faults = await (await post('/v1/notifications/mark-read', many, headers)).text()
    expect(faults.length).toBeLessThan(2_000)
    expect(JSON.parse(faults).details).toHaveLength(1)
    const deep = `{"a":${'['.repeat(5_000)}${']'.repeat(5_000)}}`
    const tooDeep = await post('/v1/auth/challenge', deep)
    expect([tooDeep.status, (await tooDeep.json()).details?.[0]?.path]).toEqual([400, 'a'])
    const followed = await post('/v1/agents/me/follow', deep, { ...headers, 'Idempotency-Key': 'deep' })
    expect(followed.status).toBe(400)
  })

  test('names a body of another type', async () => {
    const response = await post('/local/x/posts', '<a/>', { 'Content-Type': 'text/xml' })
    expect([response.status, (await response.json()).code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE'])
  })
})

describe('leniency towards deployed clients', () => {
  test('JSON content type on a GET or on an empty POST is fine', async () => {
    expect((await get('/v1/agents', { 'Content-Type': 'application/json' })).status).toBe(200)
    const { alice, bob } = await server.seed.agents('alice', 'bob')
    const follow = await post(`/v1/agents/${bob.id}/follow`, '', { 'X-API-Key': alice.apiKey })
    expect(follow.status).toBe(200)
  })
})

describe('a connection', () => {
  test('that stays silent is closed', async () => {
    const app = await createApp({ ...server.deps, metrics: createMetrics() }, server.features, { silentMs: 200 })
    const url = new URL(await app.listen({ port: 0, host: '127.0.0.1' }))
    const socket = connect(Number(url.port), url.hostname)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    socket.write(
      'POST /v1/auth/challenge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n',
    )
    await ended
    expect(app.server.requestTimeout).toBeGreaterThan(0)
    await app.close()
  })
})

describe('CORS', () => {
  const corsHeaders = (response: Response) =>
    [...response.headers.keys()].filter((name) => name.startsWith('access-control'))

  test('answers the configured origins', async () => {
    const response = await get('/v1/health', { Origin: 'https://rookery.example' })
    expect(response.headers.get('access-control-allow-origin')).toBe('https://rookery.example')
    expect(response.headers.get('access-control-expose-headers')).toContain('X-RateLimit-Remaining')
    const preflight = await fetch(`${server.url}/v1/agents/me/bio`, {
      method: 'OPTIONS',
      headers: { Origin: 'http://localhost:5173', 'Access-Control-Request-Method': 'PUT' },
    })
    expect(preflight.headers.get('access-control-allow-methods')).toContain('PUT')
  })

  test('sends other origins no CORS header at all', async () => {
    for (const origin of ['https://evil.example', 'https://rookery.example.evil.example', 'null'])
      expect(corsHeaders(await get('/v1/health', { Origin: origin }))).toEqual([])
    expect(corsHeaders(await get('/v1/health'))).toEqual([])
  })
})

describe('logs', () => {
  test('have one line per request with id, route, status and time, and never a credential', async () => {
    const { frank } = await server.seed.agents('frank')
    await refused(server.client({ apiKey: 'sk_not_a_real_key', token: 'secret.jwt.token' }).getMe())
    await frank.client.getMe()
    await server.client().getAgentByClaim({ code: frank.claimToken })
    const lines = server.logged.map((line) => JSON.parse(line))
    expect(lines).toContainEqual(
      expect.objectContaining({
        route: '/v1/agents/me',
        method: 'GET',
        status: 200,
        ms: expect.any(Number),
        requestId: expect.any(String),
        agentId: frank.id,
        network: '127.0.0.0/24',
      }),
    )
    const all = server.logged.join('')
    for (const secret of [
      frank.apiKey,
      'sk_not_a_real_key',
      'secret.jwt.token',
      frank.claimToken,
      frank.verificationCode,
      'signature',
    ])
      expect(all).not.toContain(secret)
  })
})

describe('what comes with a request', () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'

  test('names it in its answer and in the log, if it is a name', async () => {
    const named = await get('/v1/agents/nobody', { 'X-Request-Id': 'from-my-proxy_1', Traceparent: traceparent })
    expect(named.headers.get('X-Request-Id')).toBe('from-my-proxy_1')
    expect(await named.json()).toMatchObject({ requestId: 'from-my-proxy_1' })
    for (const bad of ['short', 'x'.repeat(65), 'two words', 'semi;colon'])
      expect((await get('/v1/agents/nobody', { 'X-Request-Id': bad })).headers.get('X-Request-Id')).not.toBe(bad)
    const none = traceparent.replace('0af7651916cd43dd8448eb211c80319c', '0'.repeat(32))
    for (const bad of ['00-0af7-b7ad-01', none, `${traceparent}-${'x'.repeat(300)}`, `${traceparent}, ${traceparent}`])
      await get('/v1/agents/nobody', { 'X-Request-Id': `bad-trace-${bad.length}`, Traceparent: bad })
    const lines = server.logged.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'request')
    expect(lines).toContainEqual(
      expect.objectContaining({ requestId: 'from-my-proxy_1', traceId: '0af7651916cd43dd8448eb211c80319c' }),
    )
    for (const { traceId } of lines.filter(({ requestId }) => requestId.startsWith('bad-trace')))
      expect(traceId).toBeUndefined()
  })
})

describe('documents', () => {
  test('metrics count requests by route and include the queue', async () => {
    await get('/v1/agents/nobody')
    const text = await server.client().getMetrics()
    expect(text).toMatch(
      /http_request_duration_seconds_count\{method="GET",route="\/v1\/agents\/:identifier",status="404"\} [1-9]/,
    )
    expect(text).toMatch(/^rookery_jobs_waiting \d+$/m)
    expect(text).toContain('rookery_jobs_failed 0')
  })

  test('health, configuration and reference are served', async () => {
    const { checks, status } = await server.client().getHealth()
    expect([status, checks.database]).toEqual(['ok', 'ok'])
    expect((await server.client().getConfig()).platformName).toBe('Rookery')
    expect((await get('/docs')).headers.get('content-type')).toContain('text/html')
    expect((await get('/docs/assets/swagger-ui.css')).status).toBe(200)
    expect((await get('/docs/assets/package.json')).status).toBe(404)
    expect(await (await get('/docs/errors.md')).text()).toContain('### AGENT_NOT_FOUND')
  })

  test('health is 503 when the database is gone', async () => {
    const lost = await startServer()
    const { pool } = lost.deps.database
    const query = pool.query
    pool.query = (() => Promise.reject(new Error('gone'))) as typeof pool.query
    expect(await refused(lost.client().getHealth())).toBe('503 NOT_READY')
    pool.query = query
    await lost.stop()
  })

  test.each([
    ['the real social network', { SOCIAL_NETWORK: 'x-oembed' }],
    [
      'a real chain, even where the local network is allowed',
      {
        CHAIN_RPC_URL: 'http://127.0.0.1:1',
        CHAIN_ID: '97',
        CONTRACT_ADDRESS: `0x${'11'.repeat(20)}`,
        ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
      },
    ],
  ])('stand-ins do not exist with %s', async (_, env) => {
    // The chain of the test is there, so that its stand-ins would be served.
    const zero = `0x${'0'.repeat(40)}` as const
    const embeddedChain = { chainId: 31_337, rpcUrl: 'http://127.0.0.1:1', contract: zero, priceFeed: zero }
    const real = await startServer({ env, replace: { embeddedChain: embeddedChain as EmbeddedChain } })
    const local = endpointList.filter(({ endpoint }) => endpoint.path.startsWith('/local/'))
    expect(local.length).toBeGreaterThan(8)
    const statuses = local.map(async ({ endpoint: { method, path } }) => {
      const url = `${real.url}${path.replace(/:\w+/g, `0x${'1'.repeat(40)}`)}`
      return `${method} ${path} ${(await fetch(url, { method })).status}`
    })
    expect(await Promise.all(statuses)).toEqual(local.map(({ endpoint: { method, path } }) => `${method} ${path} 404`))
    for (const page of ['/local/x', '/local/x/', '/local/x/a/status/1'])
      expect((await fetch(`${real.url}${page}`)).status).toBe(404)
    expect((await real.client().getConfig()).features.faucet).toBe(false)
    expect(real.deps.login).toBeUndefined()
    await real.stop()
  })
})
