import type { Tweet } from '@rookery/api'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { outcome, refusal, refused } from '../../test/refusal.js'
import { startServer, type TestServer } from '../../test/start-server.js'

const LIMITS = {
  RATE_LIMIT_READS: '100',
  RATE_LIMIT_WRITES: '30',
  RATE_LIMIT_SEARCHES: '20',
  RATE_LIMIT_DOCUMENTS: '20',
  RATE_LIMIT_SIGN_INS: '20',
  RATE_LIMIT_REGISTRATIONS: '10',
}
const MINUTE_MS = 60_000

// Well-formed, and by nobody.
const FORGED = { walletAddress: `0x${'1'.repeat(40)}`, signature: `0x${'1'.repeat(130)}` } as const

const server = await startServer({ env: LIMITS })
afterAll(() => server.stop())

/** Seeds agents within the hourly allowance, then lets the windows expire. */
async function seedAgents<Name extends string>(on: TestServer, ...names: Name[]) {
  const seeded = await on.seed.agents(...names)
  on.clock.advance(60 * MINUTE_MS)
  return seeded
}

describe('rate limits', () => {
  test('let exactly 30 of 45 parallel writes with one key through', async () => {
    const { alice } = await seedAgents(server, 'alice', 'target')
    const outcomes = await Promise.all(
      Array.from({ length: 45 }, () => outcome(alice.client.followAgent({ id: 'target' }))),
    )
    expect(outcomes.filter((result) => result === 'done')).toHaveLength(30)
    expect(outcomes.filter((result) => result === '429 RATE_LIMITED')).toHaveLength(15)
  })

  test('count agents separately, and reads and writes separately', async () => {
    const { bob, carol } = await seedAgents(server, 'bob', 'carol')
    await Promise.all(Array.from({ length: 30 }, () => bob.client.followAgent({ id: 'carol' })))
    expect(await refused(bob.client.followAgent({ id: 'carol' }))).toBe('429 RATE_LIMITED')
    expect((await carol.client.followAgent({ id: 'bob' })).following).toBe(true)
    expect((await bob.client.getMe()).username).toBe('bob')
  })

  test('cannot be evaded with a new key', async () => {
    const { dora } = await seedAgents(server, 'dora', 'erin')
    await Promise.all(Array.from({ length: 29 }, () => dora.client.followAgent({ id: 'erin' })))
    const { apiKey } = await dora.client.regenerateKey()
    expect(await refused(server.client({ apiKey }).followAgent({ id: 'erin' }))).toBe('429 RATE_LIMITED')
  })

  test('report what is left, when the window resets, and how long to wait', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const first = await fetch(`${server.url}/v1/agents`)
    const header = (name: string) => first.headers.get(name)
    expect(header('x-ratelimit-limit')).toBe('100')
    expect(header('x-ratelimit-remaining')).toBe('99')
    expect(header('ratelimit-policy')).toBe('"read";q=100;w=60')
    expect(header('ratelimit')).toMatch(/^"read";r=99;t=(59|60)$/)
    expect(Number(header('x-ratelimit-reset')) * 1000 - server.clock.now().getTime()).toBeGreaterThan(50_000)
    await Promise.all(Array.from({ length: 99 }, () => fetch(`${server.url}/v1/agents`)))
    const { retryAfterSeconds, message } = await refusal(server.client().listAgents({}))
    expect(retryAfterSeconds).toBeGreaterThan(50)
    expect(message).toContain('100 read calls')
    server.clock.advance((retryAfterSeconds ?? 0) * 1000)
    expect((await fetch(`${server.url}/v1/agents`)).status).toBe(200)
  })

  test('count a searched list as a search', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, () => outcome(server.client().listAgents({ search: 'a' }))),
    )
    expect(outcomes.filter((result) => result === 'done')).toHaveLength(20)
    expect(await outcome(server.client().listAgents({}))).toBe('done')
  })

  test('count a wrong key against the address it comes from', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const wrong = server.client({ apiKey: 'sk_guess' })
    const outcomes = await Promise.all(Array.from({ length: 101 }, () => outcome(wrong.getMe())))
    expect(outcomes.filter((result) => result === '429 RATE_LIMITED')).toHaveLength(1)
  })

  test('count a key separately, even where nothing else depends on it', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const { kim } = await server.seed.agents('kim')
    server.clock.advance(60 * MINUTE_MS)
    const prices = (apiKey?: string) =>
      fetch(`${server.url}/v1/price/bnb`, apiKey === undefined ? {} : { headers: { 'X-API-Key': apiKey } })
    const statuses = await Promise.all(Array.from({ length: 101 }, async () => (await prices()).status))
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect((await prices(kim.apiKey)).status).not.toBe(429)
    expect((await prices('sk_guess')).status).toBe(429)
  })

  test('do not apply to health and metrics', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async (_, index) => {
        return (await fetch(`${server.url}${index % 5 === 0 ? '/metrics' : '/v1/health'}`)).status
      }),
    )
    expect(statuses).not.toContain(429)
  })

  test('let exactly twenty documents a minute through per agent, which cost no reads', async () => {
    const { lea, moe } = await seedAgents(server, 'lea', 'moe')
    const paths = ['/SKILL.md', '/HEARTBEAT.md', '/prompt.txt'] as const
    const read = (path: string, apiKey: string) => fetch(`${server.url}${path}`, { headers: { 'X-API-Key': apiKey } })
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => read(paths[index % 3] ?? '', lea.apiKey)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(20)
    const refused = answers.find(({ status }) => status === 429)
    expect(refused?.headers.get('ratelimit-policy')).toBe('"documents";q=20;w=60')
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await read('/HEARTBEAT.md', moe.apiKey)).status).toBe(200)
    const next = await read('/v1/agents/me', lea.apiKey)
    expect([next.status, next.headers.get('x-ratelimit-remaining')]).toEqual([200, '99'])
    server.clock.advance(MINUTE_MS)
    expect((await read('/SKILL.md', lea.apiKey)).status).toBe(200)
  })

  test('let twenty challenges and wallet logins a minute through per address, whatever key they carry', async () => {
    const { nia } = await seedAgents(server, 'nia')
    const post = async (path: string, body: object, apiKey?: string) => {
      const headers = { 'Content-Type': 'application/json', ...(apiKey && { 'X-API-Key': apiKey }) }
      return (await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })).status
    }
    const walletAddress = `0x${'1'.repeat(40)}`
    const login = { message: 'not a challenge', signature: '0x00' }
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        index % 3 === 0
          ? post('/v1/auth/wallet', login)
          : post('/v1/auth/challenge', { purpose: 'session', walletAddress }, index % 3 === 1 ? nia.apiKey : undefined),
      ),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(10)
    // Other reads of the address are not concerned.
    expect((await fetch(`${server.url}/v1/agents`)).status).toBe(200)
  })

  test('let ten registrations an hour through per address', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const attempt = () => outcome(server.client().registerAgent({ username: 'xenia', ...FORGED }))
    const outcomes = []
    for (let index = 0; index < 12; index++) outcomes.push(await attempt())
    expect(outcomes.filter((result) => result === '429 RATE_LIMITED')).toHaveLength(2)
    server.clock.advance(2 * MINUTE_MS)
    expect(await attempt()).toBe('429 RATE_LIMITED')
    server.clock.advance(60 * MINUTE_MS)
    expect(await attempt()).toBe('400 INVALID_SIGNATURE')
  })

  test('check ten signatures of registrations, recoveries and moves together, and malformed ones cost none', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const post = async (path: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' }
      const response = await fetch(`${server.url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
      return `${response.status} ${(await response.json()).code}`
    }
    const recover = (body: object) => post('/v1/agents/recover', body)
    const { walletAddress, signature } = FORGED
    const malformed = [
      {},
      { signature },
      { walletAddress },
      { walletAddress: '0x12', signature },
      { walletAddress, signature: 'not a signature' },
      { walletAddress, signature: '0x1' },
      { walletAddress, signature, username: 5 },
    ]
    for (let round = 0; round < 2; round++)
      for (const body of malformed) expect(await recover(body)).toBe('400 INVALID_INPUT')
    expect(await post('/v1/agents/register', { walletAddress, signature })).toBe('400 INVALID_INPUT')
    server.clock.advance(MINUTE_MS)
    for (let index = 0; index < 10; index++)
      expect(await (index % 2 ? recover(FORGED) : post('/v1/agents/register', { username: 'xenia', ...FORGED }))).toBe(
        '400 INVALID_SIGNATURE',
      )
    expect(await recover(FORGED)).toBe('429 RATE_LIMITED')
    const { message } = await server.client().createChallenge({ purpose: 'relink', walletAddress })
    expect(await post('/v1/agents/relink', { message, signature, xUsername: 'xenia' })).toBe('429 RATE_LIMITED')
    expect(await recover({})).toBe('400 INVALID_INPUT')
  })
})

describe('callers by IPv6', () => {
  const LINES_PER_SITE = 16
  let proxied: TestServer
  beforeAll(async () => {
    proxied = await startServer({
      env: {
        TRUST_PROXY: '1',
        ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
        RATE_LIMIT_READS: '3',
        RATE_LIMIT_WRITES: '50',
        RATE_LIMIT_REGISTRATIONS: '2',
      },
    })
  })
  afterAll(() => proxied.stop())

  const call = async (path: string, address: string, init: RequestInit = {}) => {
    const response = await fetch(`${proxied.url}${path}`, {
      ...init,
      headers: { 'X-Forwarded-For': address, 'Content-Type': 'application/json' },
    })
    return { status: response.status, body: await response.json() }
  }
  const read = async (address: string) => (await call('/v1/config', address)).status
  const admitted = async (addresses: readonly string[]) =>
    (await Promise.all(addresses.map(read))).filter((status) => status === 200).length

  test('share the allowance of their /64, exactly', async () => {
    expect(await admitted(Array.from({ length: 20 }, (_, host) => `2001:db8:1:1::${host + 1}`))).toBe(3)
    expect(await admitted(['2001:0db8:0001:0001:ffff:ffff:ffff:ffff', '[2001:db8:1:1::5]:4711'])).toBe(0)
    expect(await read('2001:db8:1:2::1')).toBe(200)
  })

  test('have no more than sixteen times that for their /48, exactly, and other sites are not concerned', async () => {
    const lines = Array.from({ length: 20 }, (_, line) => `2001:db8:2:${line.toString(16)}`)
    // Refused calls of one line leave the others theirs.
    expect(await admitted(Array.from({ length: 60 }, (_, host) => `2001:db8:2:0::${host}`))).toBe(3)
    const calls = lines.slice(1).flatMap((line) => [`${line}::1`, `${line}::2`, `${line}::3`])
    expect(await admitted(calls)).toBe(3 * (LINES_PER_SITE - 1))
    expect(await read('2001:db8:2:ffff::1')).toBe(429)
    expect(await read('2001:db8:3:ffff::1')).toBe(200)
  })

  test('are the IPv4 callers that they stand for', async () => {
    const same = ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.1:9999', '64:ff9b::c000:201']
    expect(await admitted(same)).toBe(3)
    expect(await read('::ffff:192.0.2.2')).toBe(200)
  })

  test('register as often as their /64 and their /48 may, and send as many wrong codes', async () => {
    const register = async (address: string) =>
      (
        await call('/v1/agents/register', address, {
          method: 'POST',
          body: JSON.stringify({ name: 'x y z', ...FORGED }),
        })
      ).status
    const statuses = await Promise.all([1, 2, 3, 4].map((host) => register(`2001:db8:4:1::${host}`)))
    expect(statuses.sort()).toEqual([400, 400, 429, 429])
    const site = Array.from({ length: 40 }, (_, host) => `2001:db8:4:${(host % 20) + 2}::${host}`)
    const ofSite = await Promise.all(site.map(register))
    expect(ofSite.filter((status) => status === 400)).toHaveLength(2 * LINES_PER_SITE - 2)
    const guess = async (address: string) => (await call('/v1/agents/info-by-verify/AB12-CD34', address)).status
    expect([await guess('2001:db8:5:1::1'), await guess('2001:db8:5:1::2')]).toEqual([404, 404])
    expect(await guess('2001:db8:5:1::3')).toBe(429)
  })

  test('count as one viewer of a tweet', async () => {
    proxied.clock.advance(60 * MINUTE_MS)
    const { ivy } = await proxied.seed.agents('ivy')
    const { id } = (await ivy.client.createTweet({ content: 'look' })) as Tweet
    const look = (address: string) => call(`/v1/tweets/${id}/track-view`, address, { method: 'POST', body: '{}' })
    const before = (await look('2001:db8:6:1::1')).body.viewsCount
    expect((await look('2001:db8:6:1::2')).body.viewsCount).toBe(before)
    expect((await look('2001:db8:6:2::2')).body.viewsCount).toBe(before + 1)
  })
})

describe('TRUST_PROXY', () => {
  const remaining = async (on: TestServer, forwarded: string) =>
    (await fetch(`${on.url}/v1/agents`, { headers: { 'X-Forwarded-For': forwarded } })).headers.get(
      'x-ratelimit-remaining',
    )

  test('0 takes no address from a header; 1 takes the one the proxy saw, not the one the client claims', async () => {
    const direct = await startServer({ env: LIMITS })
    expect([await remaining(direct, '1.1.1.1'), await remaining(direct, '2.2.2.2')]).toEqual(['99', '98'])
    await direct.stop()
    const proxied = await startServer({ env: { ...LIMITS, TRUST_PROXY: '1', ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes' } })
    expect([await remaining(proxied, '1.1.1.1'), await remaining(proxied, '2.2.2.2')]).toEqual(['99', '99'])
    expect(await remaining(proxied, '9.9.9.9, 2.2.2.2')).toBe('98')
    await proxied.stop()
  })
})
