import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, describe, expect, type MockInstance, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'
import { foldDeeds } from '../../features/deeds/fold.js'

const SOON = { timeout: 30_000, interval: 20 }

describe('of three processes on one database', () => {
  let servers: TestServer[]
  let remove: () => Promise<void>
  let apiKey: string

  beforeAll(async () => {
    const database = await createTestDatabase()
    remove = database.remove
    const env = { ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') }
    const one = await startServerOn(env)
    servers = [one, await startServerOn(env), await startServerOn(env)]
    apiKey = (await one.seed.agents('ann')).ann.apiKey
  })
  afterEach(() => vi.restoreAllMocks())
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.stop()))
    await remove()
  })

  const db = () => (servers[0] as TestServer).deps.db
  const one = () => (servers[0] as TestServer).deps
  const readElected = async () =>
    (await db().one<{ ordered_by: string | null }>(sql`select ordered_by from event_log`)).ordered_by
  const findElected = async () => {
    const id = await readElected()
    return servers.find(({ deps }) => deps.peers.instanceId === id)
  }

  /** Writes a tweet in each process, and takes what readers of each are sent. */
  async function writeAndRead(word: string): Promise<string[]> {
    const listeners = await Promise.all(servers.map((server) => server.listen(server.client(), ['agent:ann'])))
    const words = servers.map((_, index) => `${word} ${index}`)
    for (const [index, server] of servers.entries())
      await server.client({ apiKey }).createTweet({ content: words[index] ?? '' })
    const read = listeners.map(async (listener) => {
      const events = await listener.take(words.length)
      await listener.stop()
      return events.map((event) => (event.type === 'tweet.created' ? event.data.content : event.type)).sort()
    })
    const [ofOne, ...ofOthers] = await Promise.all(read)
    for (const other of ofOthers) expect(other).toEqual(ofOne)
    return ofOne ?? []
  }

  test('one orders what all of them write, and readers of each are sent it', async () => {
    await expect.poll(findElected, SOON).toBeDefined()
    const elected = await findElected()
    for (const { deps } of servers) await deps.orderer.settle()
    const ordering = servers.map(({ deps }) => {
      const queries = new Map<object, MockInstance>()
      deps.database.pool.on('acquire', (client) => {
        if (!queries.has(client)) queries.set(client, vi.spyOn(client, 'query'))
      })
      const isOrdering = ([text]: unknown[]) => JSON.stringify(text).includes('delete from event_draft')
      return () => [...queries.values()].flatMap(({ mock }) => mock.calls.filter(isOrdering)).length
    })
    // The listeners of the test let each process order once.
    const listeners = await Promise.all(servers.map((server) => server.listen(server.client(), ['agent:ann'])))
    const before = ordering.map((count) => count())
    // Not by the client of the tests, after whose calls each process orders.
    for (const { url } of servers) {
      const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ content: randomBytes(8).toString('hex') })
      expect((await fetch(`${url}/v1/tweets`, { method: 'POST', headers, body })).status).toBe(201)
    }
    for (const listener of listeners) await listener.take(3)
    const orderers = servers.filter((_, index) => (ordering[index]?.() ?? 0) > (before[index] ?? 0))
    expect(orderers).toEqual([elected])
    expect(await findElected()).toBe(elected)
    for (const listener of listeners) await listener.stop()
  })

  test('another takes over from one that lives and no longer orders', async () => {
    const still = '00000000-0000-4000-8000-000000000000'
    await db().run(sql`insert into instance (id, seen_at) values (${still}, now() + interval '1 hour')`)
    await db().run(sql`update event_log set ordered_by = ${still}`)
    // Nobody is told of it.
    await db().run(sql`
      insert into event_draft (type, topic, at, agent_id, data)
      select 'agent.updated', 'agent', now(), id, '{"name": "left behind"}' from agent where username = 'ann'`)
    const countDrafts = async () =>
      (await db().one<{ count: number }>(sql`select count(*)::integer from event_draft`)).count
    await expect.poll(countDrafts, SOON).toBe(0)
    await expect.poll(findElected, SOON).toBeDefined()
    expect(await writeAndRead('after one stood still')).toHaveLength(3)
  })

  test('another takes over from one that ended, before anything is written', async () => {
    const gone = '00000000-0000-4000-8000-000000000001'
    await db().run(sql`update event_log set ordered_by = ${gone}`)
    await expect.poll(findElected, SOON).toBeDefined()
  })

  test('another takes over when one stops, and nothing is lost', async () => {
    const elected = await findElected()
    servers = servers.filter((server) => server !== elected)
    await elected?.stop()
    expect(await writeAndRead('after one stopped')).toEqual(['after one stopped 0', 'after one stopped 1'])
    expect(await findElected()).toBeDefined()
  })

  test('a search for drafts that finds none takes no transaction id, so it writes nothing', async () => {
    for (const { deps } of servers) await deps.orderer.settle()
    const taken = await db().transaction(async (db) => {
      const moved = await foldDeeds({ ...one(), db })
      return {
        moved,
        ...(await db.one<{ id: string | null }>(sql`select pg_current_xact_id_if_assigned()::text as id`)),
      }
    })
    expect(taken).toEqual({ moved: 0, id: null })
  })
})
