import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { refused } from '../../../test/refusal.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'

const database = await createTestDatabase()
const secret = { SERVER_SECRET: randomBytes(32).toString('hex') }
let one: TestServer
let two: TestServer

beforeEach(async () => {
  one = await startServerOn({ ...database.env, ...secret })
  two = await startServerOn({ ...database.env, ...secret })
})
afterEach(() => Promise.all([one.stop(), two.stop()]))
afterAll(() => database.remove())

const name = () => `agent_${randomBytes(4).toString('hex')}`

async function seedAgent() {
  const username = name()
  const agent = (await one.seed.agents(username))[username]
  if (!agent) throw new Error('not seeded')
  return { agent, elsewhere: two.client({ apiKey: agent.apiKey }) }
}

describe('two instances on one database', () => {
  test('both cache a key, and a replaced key is dead on both with the next request', async () => {
    const { agent, elsewhere } = await seedAgent()
    // A process that stands still for a moment, as on a busy machine, would read the key again.
    const isListening = vi.spyOn(two.deps.peers, 'isListening').mockReturnValue(true)
    await elsewhere.getAgent({ identifier: 'me' })
    const query = vi.spyOn(two.deps.database.pool, 'query')
    await elsewhere.getAgent({ identifier: 'me' })
    expect(query.mock.calls.some(([statement]) => JSON.stringify(statement).includes('api_key'))).toBe(false)
    query.mockRestore()
    isListening.mockRestore()
    const { apiKey } = await agent.client.regenerateKey()
    expect(await refused(elsewhere.getMe())).toBe('401 INVALID_API_KEY')
    expect((await two.client({ apiKey }).getMe()).id).toBe(agent.id)
  })

  test('see a verification at once on both', async () => {
    const username = name()
    const agent = (await one.seed.pending(username))[username]
    if (!agent) throw new Error('not seeded')
    const other = two.client({ apiKey: agent.apiKey })
    const { agent: target } = await seedAgent()
    expect(await refused(other.followAgent({ id: target.id }))).toBe('403 AGENT_NOT_VERIFIED')
    const { postText } = await one.client().getAgentByClaim({ code: agent.claimToken })
    await one.client().createLocalPost({ handle: username, text: postText })
    await agent.client.verifyAgent()
    expect((await other.followAgent({ id: target.id })).following).toBe(true)
  })

  test('never answer from a cache entry that was invalidated while it was being read', async () => {
    const { agent } = await seedAgent()
    for (let round = 0; round < 5; round++) {
      const reader = two.client({ apiKey: agent.apiKey })
      const [, replaced] = await Promise.all([
        reader.getMe().catch(() => {}),
        one.client({ apiKey: agent.apiKey }).regenerateKey(),
      ])
      expect(await refused(reader.getMe())).toBe('401 INVALID_API_KEY')
      Object.assign(agent, { apiKey: replaced.apiKey })
    }
  })

  test('an instance that cannot receive messages does not trust its cache', async () => {
    const { agent, elsewhere } = await seedAgent()
    await elsewhere.getMe()
    vi.spyOn(two.deps.peers, 'isListening').mockReturnValue(false)
    await one.deps.database.pool.query('update api_key set revoked_at = now() where agent_id = $1', [agent.id])
    expect(await refused(elsewhere.getMe())).toBe('401 INVALID_API_KEY')
  })

  test('listen again after their connection breaks', async () => {
    const { agent, elsewhere } = await seedAgent()
    await elsewhere.getMe()
    await one.deps.database.pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'rookery-peers' and datname = current_database()`,
    )
    const { apiKey } = await agent.client.regenerateKey()
    expect(await refused(elsewhere.getMe())).toBe('401 INVALID_API_KEY')
    await expect
      .poll(() => one.deps.peers.isListening() && two.deps.peers.isListening(), { timeout: 10_000 })
      .toBe(true)
    await two.client({ apiKey }).getMe()
    await one.client({ apiKey }).regenerateKey()
    expect(await refused(two.client({ apiKey }).getMe())).toBe('401 INVALID_API_KEY')
  })

  test('refuse to start with another secret than the database was made with', async () => {
    const start = startServerOn({ ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') })
    await expect(start).rejects.toThrow('SERVER_SECRET is not the one this database was made with')
  })
})
