import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import { authorizeAs, followLogin, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())
const anyone = server.client()

let alice: SeededAgent
let bob: SeededAgent

beforeAll(async () => {
  ;({ alice, bob } = await server.seed.agents('alice', 'bob'))
})

describe('GET /v1/auth/twitter/login', () => {
  test('answers with a URL for OAuth 2.0 with PKCE, and the state in it', async () => {
    const { url, state } = await anyone.startLogin()
    const { searchParams } = new URL(url)
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'rookery',
      redirect_uri: `${server.config.webUrl}/owner/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state,
    })
  })

  test('lets the person return only to pages of the service', async () => {
    const { url } = await anyone.startLogin({ returnUrl: `${server.config.webUrl}/claim/x?y=1` })
    expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${server.config.webUrl}/claim/x?y=1`)
    const host = new URL(server.config.webUrl).host
    const foreign = [
      'https://evil.example/',
      '//evil.example/',
      '/\\evil.example',
      `https://${host}.evil.example/`,
      `http://${host}@evil.example/`,
      `http://me:word@${host}/`,
      'javascript:alert(1)',
      'data:text/html,x',
    ]
    for (const returnUrl of foreign) {
      const { status, details } = await refusal(anyone.startLogin({ returnUrl }))
      expect([returnUrl, status, details[0]?.path]).toEqual([returnUrl, 400, 'returnUrl'])
    }
  })
})

describe('GET /v1/auth/twitter/callback', () => {
  test('answers with the members that deployed clients expect', async () => {
    const { code, state } = await authorizeAs(anyone, 'x_alice')
    const login = await anyone.completeLogin({ code, state })
    expect(login).toEqual({
      success: true,
      xId: 'handle:x_alice',
      xUsername: 'x_alice',
      displayName: 'x_alice',
      token: login.accessToken,
      accessToken: expect.stringMatching(/^eyJ/),
      refreshToken: expect.any(String),
      expiresAt: expect.any(String),
      isOwner: true,
      wallet: null,
      user: { id: expect.any(String), username: 'x_alice', agents: [expect.objectContaining({ id: alice.id })] },
    })
    const livesMs = new Date(login.expiresAt).getTime() - server.clock.now().getTime()
    expect(Math.round(livesMs / 60_000)).toBe(15)
  })

  test('forbids caching of the tokens', async () => {
    const { code, state } = await authorizeAs(anyone, 'x_alice')
    const response = await fetch(`${server.url}/v1/auth/twitter/callback?${new URLSearchParams({ code, state })}`)
    expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'no-store'])
  })

  test('accepts a state once', async () => {
    const back = await authorizeAs(anyone, 'x_alice')
    await anyone.completeLogin(back)
    expect(await refused(anyone.completeLogin(back))).toBe('400 LOGIN_EXPIRED')
  })

  test('accepts a state for ten minutes', async () => {
    const { url, state } = await anyone.startLogin()
    server.clock.advance(10 * 60_000)
    const { code } = await followLogin(url, 'x_alice', server.url)
    expect(await refused(anyone.completeLogin({ code, state }))).toBe('400 LOGIN_EXPIRED')
  })

  test('accepts no code of another login, because PKCE binds the two', async () => {
    const stolen = await authorizeAs(anyone, 'x_alice')
    const { state } = await anyone.startLogin()
    expect(await refused(anyone.completeLogin({ code: stolen.code, state }))).toBe('400 LOGIN_EXPIRED')
  })

  test('accepts no invented state or code', async () => {
    expect(await refused(anyone.completeLogin({ code: 'x', state: 'x' }))).toBe('400 LOGIN_EXPIRED')
    const { state } = await anyone.startLogin()
    expect(await refused(anyone.completeLogin({ code: 'x', state }))).toBe('400 LOGIN_EXPIRED')
  })

  test('reports when the person declined, and when the code is missing', async () => {
    const declined = await anyone.startLogin()
    const empty = await anyone.startLogin()
    expect(await refused(anyone.completeLogin({ state: declined.state, error: 'access_denied' }))).toBe(
      '400 LOGIN_DENIED',
    )
    expect(await refused(anyone.completeLogin({ state: empty.state }))).toBe('400 INVALID_INPUT')
  })

  test('refuses an account without a verified agent', async () => {
    await server.seed.pending('carol')
    const back = await authorizeAs(anyone, 'x_carol')
    expect(await refused(anyone.completeLogin(back))).toBe('404 OWNER_NOT_FOUND')
  })

  test('completes no login that a browser started', async () => {
    const { url, cookie } = await beginInBrowser()
    const { code, state } = await followLogin(url, 'x_alice', server.url)
    expect(await refused(anyone.completeLogin({ code, state }))).toBe('400 LOGIN_EXPIRED')
    expect(cookie).toBeDefined()
  })
})

describe('POST /v1/auth/refresh', () => {
  test('gives new tokens for a refresh token, for thirty days', async () => {
    const { refreshToken } = await server.seed.login('alice')
    server.clock.advance(29 * 24 * 60 * 60_000)
    const next = await anyone.refreshSession({ refreshToken })
    expect(next.refreshToken).not.toBe(refreshToken)
    expect((await server.client({ token: next.token }).getOwner()).owner.xHandle).toBe('x_alice')
    server.clock.advance(30 * 24 * 60 * 60_000)
    expect(await refused(anyone.refreshSession({ refreshToken: next.refreshToken }))).toBe('401 REFRESH_TOKEN_INVALID')
  })

  test('revokes the whole family, including access tokens, when a token is used twice', async () => {
    const stolen = await server.seed.login('alice')
    const next = await anyone.refreshSession(stolen)
    expect(await refused(anyone.refreshSession(stolen))).toBe('401 REFRESH_TOKEN_INVALID')
    expect(await refused(anyone.refreshSession(next))).toBe('401 REFRESH_TOKEN_INVALID')
    expect(await refused(server.client({ token: next.token }).getOwner())).toBe('401 INVALID_TOKEN')
  })

  test('does not affect other logins of the same owner', async () => {
    const stolen = await server.seed.login('alice')
    const other = await server.seed.login('alice')
    await anyone.refreshSession(stolen)
    await refusal(anyone.refreshSession(stolen))
    expect((await anyone.refreshSession(other)).refreshToken).toBeDefined()
  })

  test('accepts at most one of several parallel uses of a token', async () => {
    const { refreshToken } = await server.seed.login('alice')
    const ends = await Promise.allSettled(Array.from({ length: 8 }, () => anyone.refreshSession({ refreshToken })))
    expect(ends.filter((end) => end.status === 'fulfilled')).toHaveLength(1)
  })

  test('accepts no access token and no invented token', async () => {
    const { token } = await server.seed.login('alice')
    expect(await refused(anyone.refreshSession({ refreshToken: token }))).toBe('401 REFRESH_TOKEN_INVALID')
    expect(await refused(anyone.refreshSession({ refreshToken: 'x' }))).toBe('401 REFRESH_TOKEN_INVALID')
  })
})

describe('POST /v1/auth/logout', () => {
  test('ends refresh and access tokens at once; repeating it changes nothing', async () => {
    const { client, refreshToken } = await server.seed.login('alice')
    await anyone.endSession({ refreshToken })
    expect(await anyone.endSession({ refreshToken })).toEqual({ loggedOut: true })
    expect(await refused(client.getOwner())).toBe('401 INVALID_TOKEN')
    expect(await refused(anyone.refreshSession({ refreshToken }))).toBe('401 REFRESH_TOKEN_INVALID')
  })
})

describe('an open endpoint', () => {
  const read = (token: string, path = '/v1/tweets?mode=new') =>
    fetch(`${server.url}${path}`, { headers: { Authorization: `Bearer ${token}`, Origin: server.config.webUrl } })
  const INVALID = 'Bearer realm="rookery", error="invalid_token"'

  test('says that a token has ended or expired when it answers as to anyone', async () => {
    const { token, refreshToken } = await server.seed.login('alice')
    const valid = await read(token)
    expect([valid.status, valid.headers.get('www-authenticate')]).toEqual([200, null])
    await anyone.endSession({ refreshToken })
    const ended = await read(token)
    expect([ended.status, ended.headers.get('www-authenticate')]).toEqual([200, INVALID])
    expect(ended.headers.get('cache-control')).toBe('no-store')
    expect(ended.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate')
    const other = await server.seed.login('alice')
    server.clock.advance(16 * 60_000)
    expect((await read(other.token)).headers.get('www-authenticate')).toBe(INVALID)
  })

  test('says it on a stream too', async () => {
    const stream = await read('invented', '/v1/events?topics=tweets')
    expect([stream.status, stream.headers.get('www-authenticate')]).toEqual([200, INVALID])
    await stream.body?.cancel()
  })
})

describe('GET /v1/agents/owner/me', () => {
  test('returns the owner and the agents that the account verified', async () => {
    const { client } = await server.seed.login('bob')
    const profile = await client.getOwner()
    expect(profile).toMatchObject({
      owner: { xId: 'handle:x_bob', xHandle: 'x_bob', xName: 'x_bob', x_id: 'handle:x_bob', x_handle: 'x_bob' },
      agents: [{ id: bob.id, username: 'bob' }],
    })
    expect(profile.agents).toHaveLength(1)
  })

  test('is not for agents', async () => {
    expect(await refused(alice.client.getOwner())).toBe('401 UNAUTHENTICATED')
  })
})

const origin = () => server.config.webUrl

/** Calls as a page would: with its origin and cookies. */
function callFromBrowser(method: string, path: string, { cookie = '', from = origin(), body = {} as object } = {}) {
  return fetch(`${server.url}/v1/auth/session${path}`, {
    method,
    headers: { 'Content-Type': 'application/json', Origin: from, ...(cookie && { Cookie: cookie }) },
    ...(method === 'POST' && { body: JSON.stringify(body) }),
  })
}

const cookieOf = (response: Response, name: string) =>
  response.headers.getSetCookie().find((line) => line.startsWith(`rookery_${name}=`))

async function beginInBrowser(returnUrl?: string) {
  const response = await callFromBrowser('POST', '/login', { body: { returnUrl } })
  const { url } = (await response.json()) as { url: string }
  return { url, cookie: cookieOf(response, 'login')?.split(';')[0] ?? '' }
}

async function loginInBrowser() {
  const { url, cookie } = await beginInBrowser('/owner?tab=audit')
  const { code, state } = await followLogin(url, 'x_alice', server.url)
  const response = await callFromBrowser('POST', '', { cookie, body: { code, state } })
  const answer = (await response.json()) as { accessToken: string; returnUrl: string }
  return { response, answer, cookie: cookieOf(response, 'session')?.split(';')[0] ?? '' }
}

describe('a session of the browser', () => {
  test('keeps its refresh token where no script can read it and no other site can send it', async () => {
    const { response, answer } = await loginInBrowser()
    expect(cookieOf(response, 'session')).toMatch(
      /^rookery_session=[\w-]{43}; Max-Age=2592000; Path=\/v1\/auth\/session; HttpOnly; SameSite=Strict$/,
    )
    expect(Object.keys(answer).sort()).toEqual([
      'accessToken',
      'expiresAt',
      'isModerator',
      'isOwner',
      'returnUrl',
      'wallet',
    ])
    expect(answer.returnUrl).toBe(`${origin()}/owner?tab=audit`)
    expect((await server.client({ token: answer.accessToken }).getOwner()).owner.xHandle).toBe('x_alice')
  })

  test('is renewed by its cookie, which changes each time', async () => {
    const { cookie } = await loginInBrowser()
    const renewed = await callFromBrowser('POST', '/refresh', { cookie })
    expect(renewed.status).toBe(200)
    expect(cookieOf(renewed, 'session')).not.toContain(cookie)
    server.clock.advance(10_000)
    const again = await callFromBrowser('POST', '/refresh', { cookie })
    expect([again.status, cookieOf(again, 'session')]).toEqual([
      401,
      expect.stringContaining('rookery_session=; Max-Age=0'),
    ])
    const next = cookieOf(renewed, 'session')?.split(';')[0] ?? ''
    expect((await callFromBrowser('POST', '/refresh', { cookie: next })).status).toBe(401)
  })

  test('survives a page that is reloaded before it gets the new cookie, for ten seconds and not after a logout', async () => {
    const { cookie } = await loginInBrowser()
    const renew = (cookie: string) => callFromBrowser('POST', '/refresh', { cookie })
    await renew(cookie)
    server.clock.advance(5_000)
    const again = await renew(cookie)
    expect(again.status).toBe(200)
    const next = cookieOf(again, 'session')?.split(';')[0] ?? ''
    expect((await renew(next)).status).toBe(200)
    await callFromBrowser('DELETE', '', { cookie: next })
    expect((await renew(next)).status).toBe(401)
  })

  test('keeps its cookie when renewing it fails for another reason', async () => {
    const { cookie } = await loginInBrowser()
    const { pool } = server.deps.database
    await pool.query('alter table refresh_token rename to refresh_token_away')
    const failed = await callFromBrowser('POST', '/refresh', { cookie })
    await pool.query('alter table refresh_token_away rename to refresh_token')
    expect([failed.status, cookieOf(failed, 'session')]).toEqual([500, undefined])
    expect((await callFromBrowser('POST', '/refresh', { cookie })).status).toBe(200)
  })

  test('ends with logout', async () => {
    const { cookie, answer } = await loginInBrowser()
    const left = await callFromBrowser('DELETE', '', { cookie })
    expect(cookieOf(left, 'session')).toContain('Max-Age=0')
    expect((await callFromBrowser('POST', '/refresh', { cookie })).status).toBe(401)
    expect(await refused(server.client({ token: answer.accessToken }).getOwner())).toBe('401 INVALID_TOKEN')
  })

  test('is inaccessible to other origins', async () => {
    const { cookie } = await loginInBrowser()
    for (const from of ['https://evil.example', 'null', `${origin()}.evil.example`]) {
      for (const [method, path] of [
        ['POST', '/refresh'],
        ['DELETE', ''],
        ['POST', '/login'],
        ['POST', ''],
      ] as const) {
        const response = await callFromBrowser(method, path, { cookie, from, body: { state: 'x' } })
        expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
          403,
          'ORIGIN_NOT_ALLOWED',
        ])
      }
    }
    const withoutOrigin = await fetch(`${server.url}/v1/auth/session/refresh`, {
      method: 'POST',
      headers: { Cookie: cookie },
    })
    expect(withoutOrigin.status).toBe(403)
    expect((await callFromBrowser('POST', '/refresh', { cookie })).status).toBe(200)
  })

  test('opens only in the browser that started the login: a link with another’s code logs nobody in', async () => {
    const attackers = await authorizeAs(anyone, 'x_bob')
    expect((await callFromBrowser('POST', '', { body: attackers })).status).toBe(400)
    const begun = await beginInBrowser()
    const theirs = await beginInBrowser()
    const { code, state } = await followLogin(begun.url, 'x_bob', server.url)
    for (const cookie of ['', theirs.cookie]) {
      const response = await callFromBrowser('POST', '', { cookie, body: { code, state } })
      expect(((await response.json()) as { code: string }).code).toBe('LOGIN_EXPIRED')
    }
  })

  test('grants no access by its cookie: every other endpoint requires the token', async () => {
    const { cookie } = await loginInBrowser()
    const response = await fetch(`${server.url}/v1/agents/owner/me`, { headers: { Cookie: cookie, Origin: origin() } })
    expect(response.status).toBe(401)
  })
})

describe('the local authorization server', () => {
  const callLocal = (path: string, init: RequestInit = {}) => fetch(`${server.url}/local/x${path}`, init)

  test('redirects only to this service', async () => {
    const { url } = await anyone.startLogin()
    const { searchParams } = new URL(url)
    searchParams.set('redirect_uri', 'https://evil.example/')
    const response = await callLocal(`/oauth2/authorize?${searchParams}&handle=x_alice`)
    expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('redirect_uri')])
  })

  test('asks for an account on a page without scripts, and shows what it was sent as text', async () => {
    const { url } = await anyone.startLogin()
    const { searchParams } = new URL(url)
    searchParams.set('state', '"><script>alert(1)</script>')
    const response = await callLocal(`/oauth2/authorize?${searchParams}`)
    const page = await response.text()
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page).toContain('@x_alice')
    expect(page).not.toContain('<script')
  })

  test('exchanges a code once, for the redirect and verifier it was made for', async () => {
    const verifier = 'v'.repeat(43)
    const challenge = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))).toString(
      'base64url',
    )
    const redirect_uri = `${origin()}/owner/callback`
    const code = async () => {
      const query = { response_type: 'code', client_id: 'rookery', redirect_uri, state: 's', code_challenge: challenge }
      const url = `${server.url}/local/x/oauth2/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'S256' })}`
      return (await followLogin(url, 'x_alice', server.url)).code
    }
    const exchange = (changes: Record<string, string>) =>
      callLocal('/oauth2/token', {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: 'rookery',
          redirect_uri,
          code_verifier: verifier,
          ...changes,
        }),
      })
    expect((await exchange({ code: await code(), code_verifier: 'w'.repeat(43) })).status).toBe(400)
    expect((await exchange({ code: await code(), redirect_uri: `${origin()}/` })).status).toBe(400)
    expect((await exchange({ code: await code(), client_id: 'another' })).status).toBe(400)
    const good = await code()
    const token = (await (await exchange({ code: good })).json()) as { access_token: string; token_type: string }
    expect(token.token_type).toBe('bearer')
    expect((await exchange({ code: good })).status).toBe(400)
    const me = await callLocal('/users/me', { headers: { Authorization: `Bearer ${token.access_token}` } })
    expect(await me.json()).toEqual({ data: { id: 'x_alice', username: 'x_alice', name: 'x_alice' } })
    expect((await callLocal('/users/me')).status).toBe(401)
  })

  test('is the only endpoint that accepts a form', async () => {
    const response = await fetch(`${server.url}/v1/auth/refresh`, {
      method: 'POST',
      body: new URLSearchParams({ refreshToken: 'x' }),
    })
    expect(response.status).toBe(415)
  })
})

describe('stored logins', () => {
  test('contain no token, state, code or cookie in clear', async () => {
    const login = await server.seed.login('alice')
    const started = await anyone.startLogin()
    const { cookie } = await loginInBrowser()
    const secrets = [login.refreshToken, login.token, started.state, cookie.split('=')[1] ?? '']
    const tables = ['owner', 'login_attempt', 'owner_session', 'refresh_token', 'local_x_login', 'local_x_token']
    for (const table of tables) {
      const { rows } = await server.deps.database.pool.query(`select t::text from ${table} t`)
      for (const secret of secrets) expect(JSON.stringify(rows)).not.toContain(secret)
    }
    for (const secret of secrets) expect(server.logged.join('\n')).not.toContain(secret)
  })
})
