import { endpointList } from '@rookery/api'
import { recoveryText, registrationText } from '@rookery/sdk'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { refused } from '../../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { containsApiKey, isApiKey, makeApiKey } from '../../foundation/callers/api-key.js'

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
    const first = await regenerate(lena.apiKey, 'lost-answer')
    expect([first.status, first.replayed]).toEqual([200, null])
    expect(await regenerate(lena.apiKey, 'lost-answer')).toEqual({ status: 200, replayed: 'true', body: first.body })
    server.clock.advance(9 * 60_000)
    expect((await regenerate(lena.apiKey, 'lost-answer')).body.apiKey).toBe(first.body.apiKey)
    expect((await server.client({ apiKey: first.body.apiKey }).getMe()).username).toBe('lena')
    server.clock.advance(60_000)
    expect(await regenerate(lena.apiKey, 'lost-answer')).toMatchObject({ status: 401, replayed: null })
    await server.deps.queue.enqueue(server.deps.db, 'delete_expired', {}, { dedupeKey: 'delete_expired' })
    await server.drain()
    const { rows } = await server.deps.database.pool.query(`select from idempotent_answer where scope like 'key:%'`)
    expect(rows).toEqual([])
  })

  test('is given to nobody else, and the old key does nothing else', async () => {
    const { mona, nora } = await server.seed.agents('mona', 'nora')
    const { body } = await regenerate(mona.apiKey, 'mine')
    expect(await refused(mona.client.getMe())).toBe('401 INVALID_API_KEY')
    expect(await refused(mona.client.createTweet({ content: 'x' }, { idempotencyKey: 'mine' }))).toBe(
      '401 INVALID_API_KEY',
    )
    const refusals = [
      await regenerate(mona.apiKey, 'other'),
      await regenerate(mona.apiKey),
      await regenerate(mona.apiKey, 'mine', '/v1/agents/me/regenerate-key?x=1'),
      await regenerate(makeApiKey(), 'mine'),
      await regenerate(`${mona.apiKey.slice(0, -1)}_`, 'mine'),
    ]
    expect(refusals.map(({ status, body }) => `${status} ${body.code}`)).toEqual(Array(5).fill('401 INVALID_API_KEY'))
    // Other callers with the same Idempotency-Key make calls of their own.
    for (const apiKey of [nora.apiKey, body.apiKey]) {
      const own = await regenerate(apiKey, 'mine')
      expect([own.status, own.replayed]).toEqual([200, null])
      expect(own.body.apiKey).not.toBe(body.apiKey)
    }
    expect((await regenerate(mona.apiKey, 'mine')).body).toEqual(body)
  })

  test('replaces the key once for many repetitions at the same time', async () => {
    const { olga } = await server.seed.agents('olga')
    const answers = await Promise.all(Array.from({ length: 10 }, () => regenerate(olga.apiKey, 'at-once')))
    const codes = new Set(answers.map(({ status, body }) => (status === 200 ? 200 : `${status} ${body.code}`)))
    expect([...codes].filter((code) => code !== 200 && code !== '409 IDEMPOTENCY_IN_PROGRESS')).toEqual([])
    const keys = new Set(answers.flatMap(({ status, body }) => (status === 200 ? [body.apiKey] : [])))
    expect(keys.size).toBe(1)
    expect((await regenerate(olga.apiKey, 'at-once')).body.apiKey).toBe([...keys][0])
  })

  test('is stored so that neither key nor answer can be read from the database or the log', async () => {
    const { pia } = await server.seed.agents('pia')
    const { body } = await regenerate(pia.apiKey, 'sealed-answer')
    const tables = await server.deps.database.pool.query(
      `select table_name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    for (const { table_name: table } of tables.rows) {
      const { rows } = await server.deps.database.pool.query(`select t::text as line from "${table}" t`)
      const text = rows.map(({ line }) => line).join('\n')
      for (const secret of [pia.apiKey, body.apiKey, 'sealed-answer'])
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
    const register = () => anyone.registerAgent(registration, { idempotencyKey: 'register-quinn' })
    expect((await register()).apiKey).toBe((await register()).apiKey)

    const body = await recovery({ wallet })
    const recover = () => anyone.recoverAgent(body, { idempotencyKey: 'recover-quinn' })
    expect((await recover()).apiKey).toBe((await recover()).apiKey)

    const { rita } = await server.seed.agents('rita')
    const { client: owner } = await server.seed.login('rita')
    const challenge = await challengeRecovery(rita)
    const rotate = () => owner.rotateAgentKey({ id: 'rita', ...challenge }, { idempotencyKey: 'rotate-rita' })
    expect((await rotate()).apiKey).toBe((await rotate()).apiKey)
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
