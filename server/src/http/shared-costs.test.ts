import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { SeededAgent } from '../../test/seed.js'
import { startServer } from '../../test/start-server.js'

const env = {
  TRUST_PROXY: '1',
  ALLOW_LOCAL_NETWORK_IN_PUBLIC: 'yes',
  RATE_LIMIT_SIGN_INS: '100',
  RATE_LIMIT_ALL_SIGNATURES: '5',
  RATE_LIMIT_SEARCHES: '100',
  RATE_LIMIT_ALL_NEW_SEARCHES: '3',
}
const server = await startServer({ env })
afterAll(() => server.stop())

let alice: SeededAgent
beforeAll(async () => {
  ;({ alice } = await server.seed.agents('alice'))
  await alice.client.createTweet({ type: 'POST', content: 'Rain over the harbour' })
  await server.drain()
})

let addresses = 0
/** Calls from an address that nobody has used before. */
async function callFromElsewhere(path: string, init: RequestInit = {}) {
  const address = `2001:db8:${(++addresses).toString(16)}::1`
  const headers = { 'Content-Type': 'application/json', ...init.headers, 'X-Forwarded-For': address }
  const response = await fetch(`${server.url}${path}`, { ...init, headers })
  const body = (await response.json()) as { code?: string; message?: string }
  const retryAfter = response.headers.get('retry-after')
  return { status: response.status, code: body.code, message: body.message, retryAfter }
}

const nextMinute = () => server.clock.advance(60_000)

describe('signatures that strangers send', () => {
  const bytes = (length: number) => `0x${randomBytes(length).toString('hex')}`
  const recover = (length = 65) =>
    callFromElsewhere('/v1/agents/recover', {
      method: 'POST',
      body: JSON.stringify({ walletAddress: bytes(20), signature: bytes(length) }),
    })

  test('are checked up to a number a minute, whatever their addresses, and known agents are not affected', async () => {
    nextMinute()
    const wrong = await Promise.all([65, 65, 65, 65, 65].map(() => recover()))
    expect(new Set(wrong.map(({ code }) => code))).toEqual(new Set(['INVALID_SIGNATURE']))
    const refusal = await recover()
    expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
    expect(refusal.message).toContain('signatures of callers without a key')
    expect(Number(refusal.retryAfter)).toBeGreaterThan(0)
    const register = { username: 'newcomer', walletAddress: bytes(20), signature: bytes(65) }
    const other = await callFromElsewhere('/v1/agents/register', { method: 'POST', body: JSON.stringify(register) })
    expect(other.code).toBe('RATE_LIMITED')
    const { id } = await alice.client.createSkill({ name: 'Signed', content: '# Fine', type: 'skill' })
    const signed = alice.client.addSkillVersion({
      id,
      versionNumber: '2.0.0',
      content: '# Fine',
      signature: `0x${'11'.repeat(65)}`,
    })
    await expect(signed).rejects.toMatchObject({ code: 'INVALID_SIGNATURE' })
    nextMinute()
    expect((await recover()).code).toBe('INVALID_SIGNATURE')
  })
})

describe('new searches of strangers', () => {
  const searches = [
    ['tweets', (words: string) => `/v1/tweets/search?q=${words}`],
    ['agents', (words: string) => `/v1/agents?search=${words}`],
    ['skills', (words: string) => `/v1/academy/skills?search=${words}`],
  ] as const

  test.each(searches)(
    'of %s are a number a minute, whatever their addresses; repeated ones are free',
    async (kind, path) => {
      nextMinute()
      const search = (words: string, init?: RequestInit) => callFromElsewhere(path(`${kind}${words}`), init)
      for (const words of ['rain', 'snow', 'hail']) expect((await search(words)).status).toBe(200)
      const refusal = await search('fog')
      expect(refusal).toMatchObject({ status: 429, code: 'RATE_LIMITED' })
      expect(refusal.message).toContain('new searches of callers without a key')
      expect(Number(refusal.retryAfter)).toBeGreaterThan(0)
      expect((await search('rain')).status).toBe(200)
      expect((await search('mist', { headers: { 'X-API-Key': alice.apiKey } })).status).toBe(200)
      nextMinute()
      expect((await search('fog')).status).toBe(200)
    },
  )
})
