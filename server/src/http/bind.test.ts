import { type Auth, calledEndpoints, type Endpoint, endpoint, endpointList } from '@rookery/api'
import Fastify from 'fastify'
import { Type } from 'typebox'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeededAgent } from '../../test/seed.js'
import { startServer } from '../../test/start-server.js'
import type { Handlers } from '../call.js'
import { createGate } from '../features/control/gate.js'
import { createUploadSlots } from '../features/media/upload-slots.js'
import type { AgentIdentity } from '../foundation/callers/agent-identities.js'
import { makeApiKey } from '../foundation/callers/api-key.js'
import { createIdempotency } from '../foundation/idempotency.js'
import { answerErrors } from './answer-errors.js'
import { createAuthenticate } from './auth.js'
import { bind, pair, requireAccess } from './bind.js'
import { createRateLimit } from './rate-limit.js'
import { createSharedAnswers } from './shared-answers.js'

const server = await startServer()
afterAll(() => server.stop())

/** An app with one endpoint for each kind of authentication, which answers with its caller. */
async function startKinds() {
  const app = Fastify()
  requireAccess(app)
  answerErrors(app, server.config)
  const edge = {
    authenticate: createAuthenticate(server.deps),
    rateLimit: createRateLimit(server.deps),
    idempotency: createIdempotency(server.deps),
    sharedAnswers: createSharedAnswers(server.deps),
    scratch: server.deps.scratch,
    uploadSlots: createUploadSlots(server.deps),
    gate: createGate(server.deps),
    deps: server.deps,
    verifyPending: async (agent: AgentIdentity) => agent,
    requireStanding: () => {},
    noteSeen: () => {},
  }
  for (const auth of ['none', 'optional', 'agent', 'owner', 'agent-or-owner', 'signed-in'] as const) {
    bind(app, edge, {
      name: 'getHealth',
      endpoint: kind(auth),
      handle: ({ input: _, address: __, requestId: ___, deps: ____, ...caller }) => ({
        caller: JSON.stringify(caller),
      }),
    })
  }
  return app
}

function kind(auth: Auth): Endpoint {
  return endpoint({
    method: 'GET',
    path: `/${auth}`,
    tag: 'platform',
    summary: 'Answers who called',
    auth,
    limit: 'none',
    success: 200,
    output: Type.Object({ caller: Type.String() }),
    errors: [],
  })
}

describe('authentication', () => {
  const app = startKinds()
  let alice: SeededAgent
  let credentials: Record<string, Record<string, string>>

  beforeAll(async () => {
    alice = (await server.seed.agents('alice')).alice
    const { token } = await server.seed.login('alice')
    const stale = (await server.seed.login('alice')).token
    const [header = '', payload = ''] = token.split('.')
    credentials = {
      nothing: {},
      key: { 'x-api-key': alice.apiKey },
      'wrong key': { 'x-api-key': makeApiKey() },
      token: { authorization: `Bearer ${token}` },
      'forged token': { authorization: `Bearer ${header}.${payload}.AAAA` },
      'unsigned token': { authorization: `Bearer ${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.` },
      'key as token': { authorization: `Bearer ${alice.apiKey}` },
      both: { 'x-api-key': alice.apiKey, authorization: `Bearer ${stale}` },
    }
  })

  // Rows: what is sent. Columns: none, optional, agent, owner, agent-or-owner.
  test.each([
    ['nothing', 200, 200, 401, 401, 401],
    ['key', 200, 200, 200, 401, 200],
    ['wrong key', 200, 401, 401, 401, 401],
    ['token', 200, 200, 401, 200, 200],
    ['forged token', 200, 200, 401, 401, 401],
    ['unsigned token', 200, 200, 401, 401, 401],
    ['key as token', 200, 401, 401, 401, 401],
    ['both', 200, 200, 200, 200, 200],
  ])('with %s', async (sent, ...expected) => {
    const paths = ['/none', '/optional', '/agent', '/owner', '/agent-or-owner']
    const headers = credentials[sent] ?? {}
    const statuses = await Promise.all(
      paths.map(async (url) => (await (await app).inject({ url, headers })).statusCode),
    )
    expect(statuses).toEqual(expected)
  })

  test('tells where a key belongs that was sent elsewhere, and what else was sent as a key', async () => {
    const { apiKey } = alice
    const told = async (url: string, headers: Record<string, string>) => {
      const { code, message } = (await (await app).inject({ url, headers })).json()
      expect(message).not.toContain(apiKey.slice(3))
      return [code, message]
    }
    const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
    for (const url of ['/agent', '/optional', '/agent-or-owner', '/signed-in'])
      for (const authorization of [
        `Bearer ${apiKey}`,
        apiKey,
        `Token ${apiKey}`,
        basic(`${apiKey}:`),
        basic(`:${apiKey}`),
      ])
        expect(await told(url, { authorization })).toEqual([
          'UNAUTHENTICATED',
          'An API key was sent in Authorization. Send it in the header X-API-Key, as `X-API-Key: sk_…`.',
        ])
    expect(await told('/agent', { 'api-key': apiKey })).toEqual(['UNAUTHENTICATED', expect.stringMatching(/X-API-Key/)])
    for (const name of ['api_key', 'key', 'apiKey', 'token'])
      expect(await told(`/agent?${name}=${apiKey}`, {})).toEqual([
        'UNAUTHENTICATED',
        `An API key was sent in the query as ${name}. Send it in the header X-API-Key, as \`X-API-Key: sk_…\`. Replace it soon: addresses are kept in logs.`,
      ])
    expect(await told('/owner', { authorization: `Bearer ${apiKey}` })).toEqual(['INVALID_TOKEN', expect.any(String)])
    expect(await told('/agent', { 'x-api-key': `Bearer ${apiKey}` })).toEqual([
      'INVALID_API_KEY',
      'X-API-Key takes the key alone, without Bearer, quotation marks or spaces.',
    ])
    expect(await told('/agent', { 'x-api-key': credentials.token?.authorization?.slice(7) ?? '' })).toEqual([
      'INVALID_API_KEY',
      expect.stringContaining('Authorization: Bearer'),
    ])
    // A session's token is random text.
    expect(await told('/agent-or-owner', { authorization: 'Bearer eyJh.sk_abcdefgh1.x-sk_abcdefgh2' })).toEqual([
      'INVALID_TOKEN',
      expect.any(String),
    ])
    // The header decides, whatever else is sent.
    const sent = { url: `/agent?key=${apiKey}`, headers: { 'x-api-key': apiKey, authorization: `Bearer ${apiKey}` } }
    expect((await (await app).inject(sent)).statusCode).toBe(200)
  })

  test('passes the caller to the handler', async () => {
    const caller = async (url: string, sent: string) =>
      JSON.parse((await (await app).inject({ url, headers: credentials[sent] ?? {} })).json().caller)
    expect((await caller('/agent', 'key')).agent).toMatchObject({ id: alice.id, username: 'alice', status: 'active' })
    expect((await caller('/owner', 'token')).owner).toEqual({ id: expect.any(String), xId: 'handle:x_alice' })
    expect((await caller('/agent-or-owner', 'token')).caller.kind).toBe('owner')
    expect(await caller('/optional', 'nothing')).toEqual({})
  })

  test('ends with an owner token’s fifteen minutes', async () => {
    const headers = credentials.token ?? {}
    expect((await (await app).inject({ url: '/owner', headers })).statusCode).toBe(200)
    server.clock.advance(15 * 60_000 + 1000)
    expect((await (await app).inject({ url: '/owner', headers })).json().code).toBe('INVALID_TOKEN')
  })
})

describe('the start', () => {
  const all = Object.fromEntries(calledEndpoints.map(({ name }) => [name, () => ({})])) as unknown as Handlers

  test('is refused when an endpoint has no route', () => {
    const { getMe: _, ...rest } = all
    expect(() => pair(rest as Handlers)).toThrow('Endpoints without a route: getMe')
  })

  test('is refused when a route has no endpoint', () => {
    expect(() => pair({ ...all, strayRoute: () => ({}) } as Handlers)).toThrow('Routes without an endpoint: strayRoute')
  })

  test('is refused when a route declares no auth and limit class', () => {
    const app = Fastify()
    requireAccess(app)
    expect(() => app.get('/open', () => 'hello')).toThrow('Route GET /open declares no auth and limit class')
  })
})

describe('every endpoint', () => {
  test.each(endpointList.map(({ name, endpoint }) => [name, endpoint] as const))(
    '%s checks its credential',
    async (_, endpoint) => {
      const path = endpoint.path.replace(/:(\w+)/g, '01900000-0000-7000-8000-000000000000')
      const call = async (headers: Record<string, string>) =>
        (await fetch(`${server.url}${path}`, { method: endpoint.method, headers })).status
      const withNothing = await call({})
      const withWrongKey = await call({ 'X-API-Key': makeApiKey() })
      const withExpiredToken = await call({ Authorization: 'Bearer a.b.c' })
      // The token there belongs to another network.
      if (endpoint.auth === 'none' && !endpoint.errors.includes('INVALID_TOKEN'))
        expect([withNothing, withWrongKey]).not.toContain(401)
      if (endpoint.auth === 'browser') expect([withNothing, withWrongKey, withExpiredToken]).toEqual([403, 403, 403])
      if (endpoint.auth === 'optional') expect(withWrongKey).toBe(401)
      if (endpoint.auth.startsWith('agent') || endpoint.auth === 'owner')
        expect([withNothing, withWrongKey, withExpiredToken]).toEqual([401, 401, 401])
      // This server has no chain, which some endpoints report.
      const faults = (status: number) =>
        status >= 500 && !(status === 502 && endpoint.errors.includes('CHAIN_UNAVAILABLE'))
      expect([withNothing, withWrongKey, withExpiredToken].filter(faults)).toEqual([])
    },
  )
})
