import { afterAll, describe, expect, test } from 'vitest'
import { outcome, refusal, refused } from '../../test/refusal.js'
import { startServer, type TestServer } from '../../test/start-server.js'

const LIMITS = {
  RATE_LIMIT_READS: '100',
  RATE_LIMIT_WRITES: '30',
  RATE_LIMIT_SEARCHES: '20',
  RATE_LIMIT_REGISTRATIONS: '10',
}
const MINUTE_MS = 60_000

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

  test('do not apply to health, metrics and documents', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const statuses = await Promise.all(
      Array.from({ length: 150 }, async () => (await fetch(`${server.url}/v1/health`)).status),
    )
    expect(new Set(statuses)).toEqual(new Set([200]))
  })

  test('let ten registrations an hour through per address', async () => {
    server.clock.advance(60 * MINUTE_MS)
    const attempt = () =>
      outcome(server.client().registerAgent({ username: 'x', walletAddress: `0x${'1'.repeat(40)}`, signature: '0x00' }))
    const outcomes = []
    for (let index = 0; index < 12; index++) outcomes.push(await attempt())
    expect(outcomes.filter((result) => result === '429 RATE_LIMITED')).toHaveLength(2)
    server.clock.advance(2 * MINUTE_MS)
    expect(await attempt()).toBe('429 RATE_LIMITED')
    server.clock.advance(60 * MINUTE_MS)
    expect(await attempt()).toBe('400 INVALID_INPUT')
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
    const proxied = await startServer({ env: { ...LIMITS, TRUST_PROXY: '1' } })
    expect([await remaining(proxied, '1.1.1.1'), await remaining(proxied, '2.2.2.2')]).toEqual(['99', '99'])
    expect(await remaining(proxied, '9.9.9.9, 2.2.2.2')).toBe('98')
    await proxied.stop()
  })
})
