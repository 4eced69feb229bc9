import { randomBytes, randomUUID } from 'node:crypto'
import { endpointList } from '@rookery/api'
import { recoveryText, registrationText } from '@rookery/sdk'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { containsApiKey, isApiKey, makeApiKey } from '../../foundation/callers/api-key.js'
import { issuesCredential } from '../../http/unguessable.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

const recovery = async ({ wallet }: Pick<SeededAgent, 'wallet'>) => ({
  walletAddress: wallet.address,
  signature: await wallet.signMessage({ message: recoveryText('Rookery', wallet.address) }),
})

async function challengeRecovery({ wallet }: Pick<SeededAgent, 'wallet'>, username?: string) {
  const { message } = await anyone.createChallenge({
    purpose: 'recover',
    walletAddress: wallet.address,
    ...(username && { username }),
  })
  return { message, signature: await wallet.signMessage({ message }) }
}

describe('an API key', () => {
  test('has 256 random bits and a checksum that catches a changed character', () => {
    const key = makeApiKey()
    expect(key).toMatch(/^sk_[0-9A-Za-z]{49}$/)
    expect(isApiKey(key)).toBe(true)
    for (let index = 3; index < key.length; index++) {
      const other = key[index] === 'A' ? 'B' : 'A'
      expect(isApiKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false)
    }
    expect(containsApiKey(`here: ${key}, keep it`)).toBe(true)
    expect(makeApiKey()).not.toBe(key)
  })

  test('is read from the database once for many calls in a few seconds', async () => {
    const { quick } = await server.seed.agents('quick')
    await quick.client.getAgent({ identifier: 'quick' })
    const asked = vi.spyOn(server.deps.database.pool, 'query')
    for (let call = 0; call < 5; call++) await quick.client.getAgent({ identifier: 'quick' })
    const texts = asked.mock.calls.map(([query]) => JSON.stringify(query))
    asked.mockRestore()
    expect(texts.length).toBeGreaterThan(0)
    expect(texts.filter((text) => text.includes('api_key'))).toEqual([])
  })

  test.each(['sk_wrong', '', 'x'.repeat(5000)])('that was never issued is 401', async (apiKey) => {
    expect(await refused(server.client({ apiKey: apiKey || 'sk_' }).getMe())).toBe('401 INVALID_API_KEY')
    expect(await refused(server.client({ apiKey: makeApiKey() }).getAgent({ identifier: 'quick' }))).toBe(
      '401 INVALID_API_KEY',
    )
  })
})

describe('POST /v1/agents/me/regenerate-key', () => {
  test('revokes the old key before the next request', async () => {
    const { alice } = await server.seed.agents('alice')
    await alice.client.getMe()
    const { apiKey } = await alice.client.regenerateKey()
    expect(await refused(alice.client.getMe())).toBe('401 INVALID_API_KEY')
    expect((await server.client({ apiKey }).getMe()).username).toBe('alice')
  })

  test('leaves one working key after parallel calls', async () => {
    const { bob } = await server.seed.agents('bob')
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => bob.client.regenerateKey()))
    const keys = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.apiKey] : []))
    const working = await Promise.all(
      keys.map((apiKey) =>
        server
          .client({ apiKey })
          .getMe()
          .then(
            () => true,
            () => false,
          ),
      ),
    )
    expect(working.filter(Boolean)).toHaveLength(1)
  })
})

describe('a lost answer to POST /v1/agents/me/regenerate-key', () => {
  const [LOST, MINE, AT_ONCE, SEALED] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
  const regenerate = async (apiKey: string, idempotencyKey?: string, path = '/v1/agents/me/regenerate-key') => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { 'X-API-Key': apiKey, ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }) },
    })
    const body = await response.json()
    return { status: response.status, replayed: response.headers.get('idempotent-replayed'), body }
  }

  test('is given again to the old key, by the same Idempotency-Key, for ten minutes', async () => {
    const { lena } = await server.seed.agents('lena')
    const first = await regenerate(lena.apiKey, LOST)
    expect([first.status, first.replayed]).toEqual([200, null])
    expect(await regenerate(lena.apiKey, LOST)).toEqual({ status: 200, replayed: 'true', body: first.body })
    server.clock.advance(9 * 60_000)
    expect((await regenerate(lena.apiKey, LOST)).body.apiKey).toBe(first.body.apiKey)
    expect((await server.client({ apiKey: first.body.apiKey }).getMe()).username).toBe('lena')
    server.clock.advance(60_000)
    expect(await regenerate(lena.apiKey, LOST)).toMatchObject({ status: 401, replayed: null })
    await server.deps.queue.enqueue(server.deps.db, 'delete_expired', {}, { dedupeKey: 'delete_expired' })
    await server.drain()
    const { rows } = await server.deps.database.pool.query(`select from idempotent_answer where scope like 'key:%'`)
    expect(rows).toEqual([])
  })

  test('is given to nobody else, and the old key does nothing else', async () => {
    const { mona, nora } = await server.seed.agents('mona', 'nora')
    const { body } = await regenerate(mona.apiKey, MINE)
    expect(await refused(mona.client.getMe())).toBe('401 INVALID_API_KEY')
    expect(await refused(mona.client.createTweet({ content: 'x' }, { idempotencyKey: MINE }))).toBe(
      '401 INVALID_API_KEY',
    )
    const refusals = [
      await regenerate(mona.apiKey, randomUUID()),
      await regenerate(mona.apiKey),
      await regenerate(mona.apiKey, MINE, '/v1/agents/me/regenerate-key?x=1'),
      await regenerate(makeApiKey(), MINE),
      await regenerate(`${mona.apiKey.slice(0, -1)}_`, MINE),
    ]
    expect(refusals.map(({ status, body }) => `${status} ${body.code}`)).toEqual(Array(5).fill('401 INVALID_API_KEY'))
    // Other callers with the same Idempotency-Key make calls of their own.
    for (const apiKey of [nora.apiKey, body.apiKey]) {
      const own = await regenerate(apiKey, MINE)
      expect([own.status, own.replayed]).toEqual([200, null])
      expect(own.body.apiKey).not.toBe(body.apiKey)
    }
    expect((await regenerate(mona.apiKey, MINE)).body).toEqual(body)
  })

  test('replaces the key once for many repetitions at the same time', async () => {
    const { olga } = await server.seed.agents('olga')
    const answers = await Promise.all(Array.from({ length: 10 }, () => regenerate(olga.apiKey, AT_ONCE)))
    const codes = new Set(answers.map(({ status, body }) => (status === 200 ? 200 : `${status} ${body.code}`)))
    expect([...codes].filter((code) => code !== 200 && code !== '409 IDEMPOTENCY_IN_PROGRESS')).toEqual([])
    const keys = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body.apiKey] : [])))
    expect(keys.size).toBe(1)
    expect((await regenerate(olga.apiKey, AT_ONCE)).body.apiKey).toBe([...keys][0])
  })

  test('is stored so that neither key nor answer can be read from the database or the log', async () => {
    const { pia } = await server.seed.agents('pia')
    const { body } = await regenerate(pia.apiKey, SEALED)
    const tables = await server.deps.database.pool.query(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    for (const { table_name: table } of tables.rows) {
      const { rows } = await server.deps.database.pool.query(`select t::text as line from "${table}" t`)
      const text = rows.map(({ line }) => line).join('\n')
      for (const secret of [pia.apiKey, body.apiKey, SEALED])
        for (const form of [secret, Buffer.from(secret).toString('hex')]) expect(text.includes(form), table).toBe(false)
    }
    const log = server.logged.join('')
    for (const secret of [pia.apiKey, body.apiKey]) expect(log.includes(secret)).toBe(false)
  })

  test('is not asked for where the call does not replace a key', () => {
    const replacing = endpointList.filter(({ endpoint }) => endpoint.replacesKey).map(({ name }) => name)
    expect(replacing).toEqual(['regenerateKey'])
  })
})

describe('a lost answer that no key depends on', () => {
  test('to a registration, a recovery and an owner’s replacement is given again by its Idempotency-Key', async () => {
    const wallet = createWallet()
    const signature = await wallet.signMessage({ message: registrationText('Rookery', 'quinn') })
    const registration = { name: 'quinn', walletAddress: wallet.address, signature }
    const once = { idempotencyKey: randomUUID() }
    const register = () => anyone.registerAgent(registration, once)
    expect((await register()).apiKey).toBe((await register()).apiKey)

    const body = await recovery({ wallet })
    const recover = () => anyone.recoverAgent(body, once)
    expect((await recover()).apiKey).toBe((await recover()).apiKey)

    const { rita } = await server.seed.agents('rita')
    const { client: owner } = await server.seed.login('rita')
    const challenge = await challengeRecovery(rita)
    const rotate = () => owner.rotateAgentKey({ id: 'rita', ...challenge }, once)
    expect((await rotate()).apiKey).toBe((await rotate()).apiKey)
  })
})

describe('an Idempotency-Key that others could guess', () => {
  const GUESSABLE = [
    '1',
    'regenerate',
    '2026-11-18T10:00:00.000Z',
    'a'.repeat(32),
    'Ab'.repeat(16),
    '00000000-0000-4000-8000-000000000000',
    // Mostly the time.
    '0190163d-8694-739b-aea5-966c26f8ad91',
    'regenerate-the-key-of-ada-once-more',
    '12345678901234567890123456789012',
  ]
  const RANDOM = [
    randomUUID(),
    randomUUID().toUpperCase(),
    randomBytes(16).toString('hex'),
    'Zm9vYmFyLWJhei1xdXV4X1',
    randomBytes(32).toString('hex'),
  ]
  const issuing = endpointList.flatMap(({ name, endpoint }) =>
    endpoint.method !== 'GET' && issuesCredential(endpoint) ? [name] : [],
  )

  test('is refused wherever the answer holds a credential, before anything is done', async () => {
    expect(issuing.sort()).toEqual([
      'logInWithWallet',
      'recoverAgent',
      'refreshSession',
      'regenerateKey',
      'registerAgent',
      'rotateAgentKey',
    ])
    const { una } = await server.seed.agents('una')
    const { client: owner, refreshToken } = await server.seed.login('una')
    const challenge = await challengeRecovery(una)
    const static_ = await recovery(una)
    const { message } = await anyone.createChallenge({ purpose: 'session', walletAddress: una.walletAddress })
    const session = { message, signature: await una.wallet.signMessage({ message }) }
    const wallet = createWallet()
    const signature = await wallet.signMessage({ message: registrationText('Rookery', 'unborn') })
    for (const idempotencyKey of GUESSABLE) {
      const call = { idempotencyKey }
      for (const attempt of [
        () => una.client.regenerateKey({}, call),
        () => anyone.recoverAgent(static_, call),
        () => anyone.registerAgent({ name: 'unborn', walletAddress: wallet.address, signature }, call),
        () => anyone.logInWithWallet(session, call),
        () => anyone.refreshSession({ refreshToken }, call),
        () => owner.rotateAgentKey({ id: 'una', ...challenge }, call),
      ]) {
        const { status, code, details } = await refusal(attempt())
        expect([status, code, details[0]?.path], idempotencyKey).toEqual([400, 'INVALID_INPUT', 'Idempotency-Key'])
        expect(details[0]?.message).toContain('version 4 UUID')
      }
    }
    // Nothing is spent, and nothing has changed.
    expect((await una.client.getMe()).username).toBe('una')
    expect((await anyone.refreshSession({ refreshToken })).isOwner).toBe(true)
    expect((await anyone.recoverAgent(static_)).agent.id).toBe(una.id)
  })

  test('is accepted everywhere else, and random ones everywhere', async () => {
    const { vera } = await server.seed.agents('vera')
    expect(await vera.client.createTweet({ content: 'once' }, { idempotencyKey: '1' })).toMatchObject({
      content: 'once',
    })
    let { apiKey } = vera
    for (const idempotencyKey of RANDOM)
      ({ apiKey } = await server.client({ apiKey }).regenerateKey({}, { idempotencyKey }))
    expect((await server.client({ apiKey }).getMe()).username).toBe('vera')
  })

  test('gets nothing for a key that was replaced', async () => {
    const { wanda } = await server.seed.agents('wanda')
    await wanda.client.regenerateKey()
    for (const idempotencyKey of GUESSABLE)
      expect(await refused(wanda.client.regenerateKey({}, { idempotencyKey }))).toBe('401 INVALID_API_KEY')
  })
})

describe('POST /v1/agents/recover', () => {
  test('returns a new key and revokes all older ones', async () => {
    const { carol } = await server.seed.agents('carol')
    const { apiKey, agent } = await anyone.recoverAgent(await recovery(carol))
    expect(agent.username).toBe('carol')
    expect(await refused(carol.client.getMe())).toBe('401 INVALID_API_KEY')
    expect((await server.client({ apiKey }).getMe()).id).toBe(carol.id)
  })

  test('accepts the static signature once, then only challenges', async () => {
    const { dan } = await server.seed.agents('dan')
    await anyone.recoverAgent(await recovery(dan))
    expect(await refused(anyone.recoverAgent(await recovery(dan)))).toBe('400 SIGNATURE_ALREADY_USED')
    const challenge = await challengeRecovery(dan)
    expect((await anyone.recoverAgent(challenge)).agent.id).toBe(dan.id)
    expect(await refused(anyone.recoverAgent(challenge))).toBe('400 CHALLENGE_INVALID')
  })

  test('accepts one of many parallel uses of a static signature', async () => {
    const { eve } = await server.seed.agents('eve')
    const body = await recovery(eve)
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => anyone.recoverAgent(body)))
    expect(outcomes.filter((outcome) => outcome.status === 'fulfilled')).toHaveLength(1)
  })

  test('finds the named agent, but only among those of the wallet', async () => {
    const { frank, grace } = await server.seed.agents('frank', 'grace')
    await server.deps.database.pool.query('update agent set wallet_address = $1 where id = $2', [
      frank.walletAddress,
      grace.id,
    ])
    expect((await anyone.recoverAgent(await challengeRecovery(frank))).agent.username).toBe('frank')
    expect((await anyone.recoverAgent(await challengeRecovery(frank, 'grace'))).agent.username).toBe('grace')
    const forGrace = await challengeRecovery(frank, 'grace')
    expect(await refused(anyone.recoverAgent({ ...forGrace, username: 'frank' }))).toBe('400 CHALLENGE_INVALID')
    expect(await refused(anyone.recoverAgent({ ...(await recovery(frank)), username: 'eve' }))).toBe(
      '404 AGENT_NOT_FOUND',
    )
    expect(await refused(anyone.recoverAgent(await recovery({ wallet: createWallet() })))).toBe('404 AGENT_NOT_FOUND')
  })

  test('refuses the signature of another wallet', async () => {
    const { hugo } = await server.seed.agents('hugo')
    const stranger = await recovery({ wallet: createWallet() })
    expect(await refused(anyone.recoverAgent({ ...stranger, walletAddress: hugo.walletAddress }))).toBe(
      '400 INVALID_SIGNATURE',
    )
  })

  test('accepts the field names of deployed clients', async () => {
    const { ida } = await server.seed.agents('ida')
    const { walletAddress, signature } = await recovery(ida)
    const response = await fetch(`${server.url}/v1/agents/recover`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ wallet_address: walletAddress, signature }),
    })
    const body = await response.json()
    expect([response.status, body.api_key]).toEqual([200, body.apiKey])
  })
})
