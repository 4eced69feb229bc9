import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'
import { readConfig } from '../../config/config.js'
import { startLogin } from '../../features/owners/login.js'
import { createXSocialNetwork } from '../social/x.js'
import { openLogin } from './open.js'
import { createXLogin } from './x.js'

const CLIENT_ID = 'a-client:1:ci'
const CLIENT_SECRET = '-a_secret.with~marks'

interface ReceivedRequest {
  path: string
  authorization: string | undefined
  form: Record<string, string>
}

/** A stand-in for X's login: the requests it gets and its answers. */
let requests: ReceivedRequest[] = []
let tokenAnswer: { status: number; body: object }
let challenge = ''

const x = createServer(async (request, response) => {
  const { url = '', headers } = request
  const form = Object.fromEntries(new URLSearchParams(await bodyOf(request)))
  requests.push({ path: url, authorization: headers.authorization, form })
  const send = (status: number, body: object) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
  if (url.startsWith('/2/oauth2/token')) {
    const fits =
      createHash('sha256')
        .update(form.code_verifier ?? '')
        .digest('base64url') === challenge
    return fits ? send(tokenAnswer.status, tokenAnswer.body) : send(400, { error: 'invalid_request' })
  }
  if (url.startsWith('/2/users/me')) return send(200, { data: { id: '4242', username: 'Dora_X', name: 'Dora' } })
  return send(200, {
    data: { id: '99', text: postText, author_id: '4242' },
    includes: { users: [{ id: '4242', username: 'Dora_X', name: 'Dora' }] },
  })
})
await new Promise<void>((resolve) => x.listen(0, '127.0.0.1', resolve))
const baseUrl = `http://127.0.0.1:${(x.address() as AddressInfo).port}`
let postText = ''

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const now = () => Date.parse('2026-06-01T12:00:00Z')
const login = createXLogin({
  clientId: CLIENT_ID,
  clientSecret: CLIENT_SECRET,
  accounts: 'by-id',
  now,
  authorizeUrl: `${baseUrl}/i/oauth2/authorize`,
  baseUrl,
})
const server = await startServer({
  env: { SOCIAL_NETWORK: 'x', X_BEARER_TOKEN: 'token', X_CLIENT_ID: CLIENT_ID, X_CLIENT_SECRET: CLIENT_SECRET },
  replace: { login, social: createXSocialNetwork({ bearerToken: 'token', now, baseUrl }) },
})
afterAll(async () => {
  await server.stop()
  x.closeAllConnections()
  x.close()
})

const anyone = server.client()

beforeEach(() => {
  requests = []
  tokenAnswer = { status: 200, body: { token_type: 'bearer', access_token: 'x-token', expires_in: 7200 } }
})

/** Starts a login and stores its challenge, as X would. */
async function begin(): Promise<{ state: string; query: URLSearchParams }> {
  const { url, state } = await anyone.startLogin()
  const { pathname, searchParams } = new URL(url)
  expect(pathname).toBe('/i/oauth2/authorize')
  challenge = searchParams.get('code_challenge') ?? ''
  return { state, query: searchParams }
}

describe('login with X', () => {
  test('identifies an owner by the account that verified the agent', async () => {
    const { dora } = await server.seed.pending('dora')
    postText = (await anyone.getAgentByClaim({ code: dora.claimToken })).postText
    await dora.client.verifyAgent({ tweetUrl: 'https://x.com/dora_x/status/99' })
    const { state, query } = await begin()
    expect(Object.fromEntries(query)).toMatchObject({ client_id: CLIENT_ID, scope: 'tweet.read users.read', state })
    requests = []
    const answer = await anyone.completeLogin({ code: 'a-code', state })
    expect(answer).toMatchObject({ xId: '4242', xUsername: 'Dora_X', displayName: 'Dora' })
    expect(answer.user.agents.map(({ username }) => username)).toEqual(['dora'])
    expect(requests).toEqual([
      {
        path: '/2/oauth2/token',
        authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}`,
        form: {
          grant_type: 'authorization_code',
          code: 'a-code',
          redirect_uri: `${server.config.webUrl}/owner/callback`,
          code_verifier: expect.stringMatching(/^[\w-]{43}$/),
        },
      },
      { path: '/2/users/me', authorization: 'Bearer x-token', form: {} },
    ])
  })

  test.each([
    ['a code that X does not take', 400, { error: 'invalid_grant' }, '400 LOGIN_EXPIRED'],
    ['a client that X does not know', 401, { error: 'unauthorized_client' }, '502 SOCIAL_UNAVAILABLE'],
    ['an answer without a token', 200, { token_type: 'bearer' }, '502 SOCIAL_UNAVAILABLE'],
    ['a fault of X', 503, {}, '502 SOCIAL_UNAVAILABLE'],
    ['a limit of X', 429, {}, '503 SOCIAL_RATE_LIMITED'],
  ])('reports %s', async (_, status, body, expected) => {
    const { state } = await begin()
    tokenAnswer = { status, body }
    expect(await refused(anyone.completeLogin({ code: 'a-code', state }))).toBe(expected)
  })

  test('sends the verifier of the login that was started', async () => {
    const { state } = await begin()
    await begin()
    expect(await refused(anyone.completeLogin({ code: 'a-code', state }))).toBe('400 LOGIN_EXPIRED')
  })

  test('has no local stand-in', async () => {
    expect((await fetch(`${server.url}/local/x/oauth2/authorize`)).status).toBe(404)
    expect((await fetch(`${server.url}/local/x/oauth2/token`, { method: 'POST' })).status).toBe(404)
  })
})

describe('without a client of X', () => {
  test('nobody logs in', async () => {
    const attempt = startLogin({ ...server.deps, login: undefined }, {})
    await expect(attempt).rejects.toMatchObject({ code: 'NOT_READY', message: expect.stringContaining('X_CLIENT_ID') })
  })

  test.each([
    ['x', { X_BEARER_TOKEN: 'token' }],
    ['x-oembed', {}],
  ])('there is no login on %s, not even the local one', async (SOCIAL_NETWORK, more) => {
    expect(openLogin(readConfig({ SOCIAL_NETWORK, ...more }), server.clock)).toBeUndefined()
  })
})
