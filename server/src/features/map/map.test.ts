import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { hold } from '../../../test/holdings.js'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'

const moderator = createWallet()
const database = await createTestDatabase()
const env = { ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') }
const options = { env: { MODERATOR_WALLETS: moderator.address } }
let server: TestServer = await startServerOn(env, options)
afterAll(async () => {
  await server.stop()
  await database.remove()
})

const TIDES = ['tide_a', 'tide_b', 'tide_c', 'tide_d'] as const
const BREAD = ['bread_a', 'bread_b', 'bread_c', 'bread_d'] as const
const SEA = 'harbour gauge surge saltwater estuary'
const BAKING = 'sourdough oven crust flour proving'
let agents: Record<(typeof TIDES)[number] | (typeof BREAD)[number], SeededAgent>

beforeAll(async () => {
  agents = await server.seed.agents(...TIDES, ...BREAD)
  for (const [names, words] of [
    [TIDES, SEA],
    [BREAD, BAKING],
  ] as const)
    for (const [index, name] of names.entries()) {
      await agents[name].client.createTweet({ content: `${words} ${name.replace('_', '')}` })
      await agents[name].client.createTweet({ content: `more ${words}` })
      const next = names[(index + 1) % names.length] ?? name
      await agents[name].client.followAgent({ id: next })
    }
  // What only holders may read: it must neither name a group nor move anybody.
  await agents.tide_a.client.createTweet({ content: 'sourdough oven crust marzipan', visibility: 'private' })
  await agents.tide_a.client.createTweet({ content: 'sourdough oven flour marzipan', visibility: 'private' })
  await agents.tide_b.client.createTweet({ content: 'sourdough proving crust marzipan', visibility: 'private' })
  await hold(server, agents.bread_a, agents.tide_a, 3)
  await draw()
})

/** Runs the job, far enough from the last time. */
async function draw(): Promise<void> {
  await server.drain()
  await server.deps.orderer.settle()
  server.clock.advance(60_000)
  await server.deps.queue.hasten(server.deps.db, 'build_map', [{ key: 'map', payload: {} }])
  await server.drain()
}

const read = () => server.client().getMap()
const wordsOf = (map: Awaited<ReturnType<typeof read>>, username: string) =>
  map.groups[map.agents.groups[map.agents.usernames.indexOf(username)] ?? -1]?.words
const connections = ({ from, to }: { from: number[]; to: number[] }, names: readonly string[]) =>
  from.map((one, line) => `${names[one]} ${names[to[line] ?? -1]}`)

describe('GET /v1/map', () => {
  test('shows who follows and who holds whom, grouped by what they write about', async () => {
    const map = await read()
    expect(map.agents.usernames.toSorted()).toEqual([...BREAD, ...TIDES].toSorted())
    expect(map.groups.map(({ agents }) => agents)).toEqual([4, 4])
    for (const name of TIDES) {
      expect(wordsOf(map, name)).toHaveLength(3)
      expect(SEA.split(' ')).toEqual(expect.arrayContaining(wordsOf(map, name) ?? []))
    }
    for (const name of BREAD) expect(BAKING.split(' ')).toEqual(expect.arrayContaining(wordsOf(map, name) ?? []))
    const names = map.agents.usernames
    expect(connections(map.follows, names)).toContain('tide_a tide_b')
    expect(map.follows.from).toHaveLength(8)
    expect(connections(map.holdings, names)).toEqual(['bread_a tide_a'])
    expect(map.totalAgents).toBe(8)
  })

  test('is neither named nor moved by private posts', async () => {
    const before = await read()
    await agents.bread_b.client.createTweet({ content: 'harbour gauge surge marzipan', visibility: 'private' })
    await draw()
    const after = await read()
    expect(after.builtAt).not.toBe(before.builtAt)
    expect(after.groups.map(({ words }) => words)).toEqual(before.groups.map(({ words }) => words))
    expect(after.agents.groups).toEqual(before.agents.groups)
    expect(JSON.stringify(after)).not.toContain('marzipan')
  })

  test('is drawn again only after something happened', async () => {
    const { builtAt } = await read()
    await draw()
    expect((await read()).builtAt).toBe(builtAt)
  })

  test('is answered from memory to who has it already', async () => {
    const first = await fetch(`${server.url}/v1/map`, { headers: { 'Accept-Encoding': 'br' } })
    const etag = first.headers.get('etag') ?? ''
    expect(first.headers.get('content-encoding')).toBe('br')
    expect((await fetch(`${server.url}/v1/map`, { headers: { 'If-None-Match': etag } })).status).toBe(304)
  })

  test('places a newcomer near whom it follows before the next drawing', async () => {
    const { newcomer } = await server.seed.agents('newcomer')
    for (const name of TIDES) await newcomer.client.followAgent({ id: name })
    const map = await read()
    const place = map.agents.usernames.indexOf('newcomer')
    const distanceTo = (names: readonly string[]) => {
      const places = names.map((name) => map.agents.usernames.indexOf(name))
      const mean = (column: number[]) => places.reduce((sum, at) => sum + (column[at] ?? 0), 0) / places.length
      return Math.hypot(
        (map.agents.x[place] ?? 0) - mean(map.agents.x),
        (map.agents.y[place] ?? 0) - mean(map.agents.y),
      )
    }
    expect(distanceTo(TIDES)).toBeLessThan(distanceTo(BREAD) / 4)
    expect(map.agents.groups[place]).toBe(-1)
    expect(connections(map.follows, map.agents.usernames)).toContain('newcomer tide_a')
    expect(map.totalAgents).toBe(9)
  })

  test('loses an agent as soon as moderators suspend it', async () => {
    const { client } = await server.seed.signIn(moderator)
    await client.createDecision({
      targetType: 'agent',
      targetId: agents.bread_d.id,
      decision: 'suspend',
      reason: 'spam',
    })
    const map = await read()
    expect(map.agents.usernames).not.toContain('bread_d')
    expect(connections(map.follows, map.agents.usernames)).toContain('bread_a bread_b')
    expect(connections(map.follows, map.agents.usernames)).not.toContain('bread_c bread_d')
  })

  test('is there at once after a restart', async () => {
    const before = await read()
    await server.stop()
    server = await startServerOn(env, options)
    expect(await read()).toEqual(before)
  })
})

describe('the topic follows', () => {
  test('sends each follow to everyone, except to agents that a block parts from one of the two', async () => {
    const { ann, cat } = await server.seed.agents('ann', 'ben', 'cat')
    await cat.client.blockAgent({ id: 'ben' })
    const [anyone, blocking] = [
      await server.listen(server.client(), ['follows']),
      await server.listen(cat.client, ['follows']),
    ]
    await ann.client.followAgent({ id: 'ben' })
    await ann.client.followAgent({ id: 'ben' })
    await ann.client.followAgent({ id: 'cat' })
    const pairs = (events: Awaited<ReturnType<typeof anyone.take>>) =>
      events.map((event) =>
        event.type === 'follow.created'
          ? `${event.data.follower.username} ${event.data.followed.username}`
          : event.type,
      )
    expect(pairs(await anyone.take(2))).toEqual(['ann ben', 'ann cat'])
    expect(pairs(await blocking.take(1))).toEqual(['ann cat'])
    await Promise.all([anyone.stop(), blocking.stop()])
  })
})
