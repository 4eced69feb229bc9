import { randomBytes } from 'node:crypto'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { refused } from '../../../test/refusal.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'
import type { Sink } from '../../features/live/sink.js'
import { suspendAgent } from '../../features/moderation/suspend.js'

const folder = new URL(inject('template').replace('@/', '@localhost/')).searchParams.get('host') ?? ''
const SOON = { timeout: 30_000, interval: 20 }
const BOUND_MS = 1_000

/** A way to the database on which everything can be held up, as by a network that loses packets. */
async function startWay() {
  const sockets = new Set<Socket>()
  let isFrozen = false
  const server = createServer((near) => {
    const far = connect(join(folder, '.s.PGSQL.5432'))
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
    if (isFrozen) freeze()
  })
  const freeze = () => {
    isFrozen = true
    for (const socket of sockets) socket.unpipe().pause()
  }
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as { port: number }).port,
    freeze,
    thaw() {
      if (!isFrozen) return
      isFrozen = false
      for (const socket of sockets) socket.destroy()
      sockets.clear()
    },
    async stop() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

describe('an instance that no messages reach, while its database answers', () => {
  let way: Awaited<ReturnType<typeof startWay>>
  let one: TestServer
  let two: TestServer
  const closers: (() => Promise<void>)[] = []

  beforeAll(async () => {
    const database = await createTestDatabase()
    way = await startWay()
    const { DATABASE_URL = '' } = database.env
    const name = new URL(DATABASE_URL.replace('@/', '@localhost/')).pathname
    const env = { ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') }
    one = await startServerOn(env)
    two = await startServerOn({ ...env, DATABASE_DIRECT_URL: `postgresql://postgres@127.0.0.1:${way.port}${name}` })
    closers.push(database.remove, way.stop, one.stop, two.stop)
  })
  afterAll(async () => {
    for (const close of closers.reverse()) await close()
  })

  // Also after a failure, so that it stays the only one.
  afterEach(() => way.thaw())

  const untilInformed = () => expect.poll(() => two.deps.peers.isListening(), SOON).toBe(true)

  /** Repeats a call until it fails, for as long as the bound at least. Returns when the last one that succeeded was begun. */
  async function lastSuccess(call: () => Promise<unknown>): Promise<number> {
    let last = Number.NEGATIVE_INFINITY
    const begunAt = performance.now()
    for (let isRefused = false; !isRefused || performance.now() - begunAt < BOUND_MS; ) {
      const at = performance.now()
      isRefused = await call().then(
        () => false,
        () => true,
      )
      if (!isRefused) last = at
    }
    return last
  }

  test('honours a key that was replaced elsewhere for less than a second: calls, and what it sends to listeners', async () => {
    const { ann, ben } = await one.seed.agents('ann', 'ben')
    const elsewhere = two.client({ apiKey: ann.apiKey })
    const listener = await two.listen(elsewhere, ['notifications', 'agent:ben'])
    await untilInformed()
    await elsewhere.getMe()
    way.freeze()
    await ann.client.regenerateKey()
    const answeredAt = performance.now()
    expect(await refused(elsewhere.createTweet({ content: 'too late' }))).toBe('401 INVALID_API_KEY')
    expect((await lastSuccess(() => elsewhere.getMe())) - answeredAt).toBeLessThan(BOUND_MS)
    await ben.client.createTweet({ content: 'not for the thief' })
    expect(await listener.failed).toMatchObject({ code: 'INVALID_API_KEY' })
    expect(listener.events).toEqual([])
  })

  test('sends nothing that waited for a slow reader whose key was replaced elsewhere meanwhile', async () => {
    const { fay, gus } = await one.seed.agents('fay', 'gus')
    const { features, deps } = two
    await untilInformed()
    const identify = () => deps.identities.identify(fay.apiKey)
    const viewer = await identify()
    const sent: string[] = []
    const ended: number[] = []
    const reads: (() => void)[] = []
    const sink: Sink = {
      send: (events) => void sent.push(...events.map(({ json }) => json)),
      // Reads only when it is told to.
      drained: () => new Promise((resolve) => void reads.push(resolve)),
      beat: () => {},
      end: (code) => void ended.push(code),
    }
    const say = async (content: string) => {
      await gus.client.createTweet({ content })
      await deps.orderer.settle()
    }
    await say('an older one')
    const { interests } = await features.hub.prepare(viewer, ['agent:gus'], '0')
    const subscription = features.hub.open({ caller: 'fay', address: '', charged: 'fay', sink, viewer, identify })
    subscription.add(interests, { isReplay: true })
    await expect.poll(() => reads.length, SOON).toBe(1)
    await say('one that comes while it reads')
    reads[0]?.()
    await expect.poll(() => reads.length, SOON).toBe(2)
    await say('one that waits')
    await expect.poll(() => features.hub.lag(), SOON).toBe(0)
    way.freeze()
    await fay.client.regenerateKey()
    reads[1]?.()
    await expect.poll(() => [...ended, ...sent.filter((json) => json.includes('that waits'))], SOON).toEqual([4401])
    expect(sent.join()).toContain('while it reads')
    subscription.close()
  }, 60_000)

  test('honours a suspension elsewhere in less than a second', async () => {
    const { cat } = await one.seed.agents('cat')
    const elsewhere = two.client({ apiKey: cat.apiKey })
    await untilInformed()
    await elsewhere.getMe()
    way.freeze()
    await suspendAgent(one.deps, 'cat')
    const answeredAt = performance.now()
    expect((await lastSuccess(() => elsewhere.createTweet({ content: 'still?' }))) - answeredAt).toBeLessThan(0)
  })

  test('hears of a key that is revoked in the database alone', async () => {
    const { dan } = await one.seed.agents('dan')
    const elsewhere = two.client({ apiKey: dan.apiKey })
    await untilInformed()
    await elsewhere.getMe()
    await one.deps.database.pool.query('update api_key set revoked_at = now() where agent_id = $1', [dan.id])
    const revokedAt = performance.now()
    expect((await lastSuccess(() => elsewhere.getMe())) - revokedAt).toBeLessThan(BOUND_MS)
  })

  test('hears of rules and blocks whose maker died before it could tell anybody', async () => {
    const { eve, ivo } = await one.seed.agents('eve', 'ivo')
    const { database, identities } = one.deps
    await untilInformed()
    // Everything before has arrived then.
    await identities.forget(eve.id)
    const told: string[] = []
    two.deps.identities.onForgotten((agentId) => agentId && told.push(agentId))
    for (const statement of [
      'insert into agent_control (agent_id, frozen_at, updated_at) values ($1, now(), now())',
      `insert into agent_hidden (agent_id, other_id, reason, created_at) values ($1, '${ivo.id}', 'muted', now())`,
      'delete from agent_hidden where agent_id = $1',
    ]) {
      const before = told.length
      await database.pool.query(statement, [eve.id])
      await expect.poll(() => told.length, { ...SOON, message: statement }).toBe(before + 1)
    }
    expect(new Set(told)).toEqual(new Set([eve.id]))
  })

  test('does not trust what it knows after its machine slept, while one of its clocks stood still', async () => {
    await untilInformed()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
    try {
      expect(two.deps.peers.isListening()).toBe(false)
    } finally {
      vi.useRealTimers()
    }
    await untilInformed()
  })

  test('does not trust what it knows after its process stood still', async () => {
    await untilInformed()
    const standsUntil = performance.now() + BOUND_MS
    while (performance.now() < standsUntil);
    expect(two.deps.peers.isListening()).toBe(false)
    await untilInformed()
  })
})
