import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { createCheapEmbedder, embeddersOf } from '../../../test/cheap-embedder.js'
import { createTestClock, type TestClock } from '../../../test/clock.js'
import { createTestDatabase } from '../../../test/database.js'
import { createFakeChain } from '../../../test/fake-chain.js'
import { describeWithRedis, startRedis } from '../../../test/redis.js'
import { refusal } from '../../../test/refusal.js'
import { startServer, startServerOn } from '../../../test/start-server.js'
import { openEmbedders } from '../../adapters/embeddings/open.js'
import { createApp } from '../../app.js'
import { systemClock } from '../../base/clock.js'
import { createLateClock } from '../../base/late-clock.js'
import { readConfig } from '../../config/config.js'
import { createChain } from '../../foundation/chain/chain.js'
import { createMetrics } from '../../foundation/metrics.js'
import { createShareFollower } from '../../start/share-follower.js'
import { openPlatform } from './open.js'

const server = await startServer()
afterAll(() => server.stop())

const soon = { timeout: 8_000, interval: 100 }
const readHealth = () => server.client().getHealth()

describe('health', () => {
  test('is ok when nothing is wrong', async () => {
    expect(await readHealth()).toMatchObject({ status: 'ok', reasons: [], checks: { database: 'ok', redis: null } })
  })

  test('reports background work that is late, but not work in progress', async () => {
    const { db, queue, clock } = server.deps
    server.clock.advance(61_000)
    await queue.enqueue(db, 'rescan_skills', {}, { runAt: new Date(clock.now().getTime() - 184_000) })
    expect(await readHealth()).toMatchObject({
      status: 'degraded',
      reasons: ['Background work is late: 1 jobs wait, the oldest for 184 s.'],
    })
    await db.run(sql`update job set locked_until = ${new Date(clock.now().getTime() + 10_000)}`)
    expect(await readHealth()).toMatchObject({ status: 'ok' })
    await db.run(sql`delete from job`)
  })

  test('reports jobs that gave up, and how to retry them', async () => {
    const { db, queue, clock } = server.deps
    await queue.enqueue(db, 'rescan_skills', {})
    await db.run(sql`update job set failed_at = ${clock.now()}`)
    expect(await readHealth()).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringMatching(/^Jobs gave up: 1\..*retry-jobs/)],
    })
    await db.run(sql`delete from job`)
    expect(await readHealth()).toMatchObject({ status: 'ok' })
  })

  test('reports troubles of the process', async () => {
    server.deps.troubles.add('The moon fell down.')
    expect(await readHealth()).toMatchObject({ status: 'degraded', reasons: ['The moon fell down.'] })
  })
})

describe('health after a long stop', () => {
  const DAYS_MS = 3 * 24 * 60 * 60_000
  // On this chain blocks may be days apart.
  const fake = createFakeChain({
    startsAt: Date.parse('2026-06-01T11:59:00.000Z') / 1000,
    secondsPerBlock: DAYS_MS / 1000,
  })
  const chain = createChain(fake)

  /** Starts on what an earlier run has left: a chain that it followed to its end, and a job that came due meanwhile. */
  async function restart() {
    const database = await createTestDatabase()
    const secret = { SERVER_SECRET: randomBytes(32).toString('hex') }
    const start = (clock: TestClock) => startServerOn({ ...database.env, ...secret }, { replace: { clock, chain } })
    const before = await start(createTestClock())
    const first = createShareFollower(before.deps, { chain })
    await first.catchUp()
    await first.stop()
    const { db, queue, clock } = before.deps
    await queue.enqueue(db, 'rescan_skills', {}, { runAt: new Date(clock.now().getTime() + 1_000) })
    await before.stop()
    const later = createTestClock(new Date(clock.now().getTime() + DAYS_MS))
    const after = await start(later)
    return {
      ...after,
      clock: later,
      readStatus: async () => (await after.client().getHealth()).status,
      follower: createShareFollower(after.deps, { chain }),
      async stop() {
        await after.stop()
        await database.remove()
      },
    }
  }

  test('is starting until the chain is followed and the work of the stop is done, and then ok', async () => {
    fake.mine()
    const { client, readStatus, follower, drain, stop } = await restart()
    expect(await client().getHealth()).toMatchObject({
      status: 'starting',
      reasons: [
        expect.stringContaining('Background work is late'),
        expect.stringContaining('Nobody follows the chain'),
      ],
    })
    await follower.catchUp()
    expect(await client().getHealth()).toMatchObject({
      status: 'starting',
      reasons: [expect.stringContaining('Background work is late')],
    })
    await drain()
    expect(await readStatus()).toBe('ok')
    await stop()
  })

  test('is degraded when nobody has followed the chain a minute later', async () => {
    const { client, clock, readStatus, drain, stop } = await restart()
    await drain()
    clock.advance(58_000)
    expect(await readStatus()).toBe('starting')
    clock.advance(2_000)
    expect(await client().getHealth()).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringContaining('Nobody follows the chain')],
    })
    await stop()
  })

  test('is degraded at once by what no stop explains', async () => {
    const { deps, readStatus, stop } = await restart()
    deps.troubles.add('The moon fell down.')
    expect(await readStatus()).toBe('degraded')
    await stop()
  })

  test('counts a block after a long rest as late only since the chain was last checked', async () => {
    const { client, clock, follower, drain, readStatus, stop } = await restart()
    await follower.catchUp()
    await drain()
    clock.advance(59_000)
    await follower.catchUp()
    clock.advance(30_000)
    fake.mine()
    const { status, checks } = await client().getHealth()
    expect([status, checks.chain?.lagBlocks]).toEqual(['ok', 1])
    expect(checks.chain?.lagSeconds).toBeCloseTo(30, 0)
    await follower.catchUp()
    expect(await readStatus()).toBe('ok')
    await stop()
  })
})

test('a model of the search that is still not loaded a minute after the start is reported', async () => {
  const embedder = { ...createCheapEmbedder(), isReady: () => false }
  const beside = await startServer({ replace: { embedders: embeddersOf(embedder) } })
  expect(await beside.client().getHealth()).toMatchObject({ status: 'ok', checks: { search: 'loading' } })
  beside.clock.advance(60_000)
  expect(await beside.client().getHealth()).toMatchObject({
    status: 'degraded',
    reasons: [expect.stringContaining('its model is not loaded')],
  })
  await beside.stop()
})

describe('health while the clock is told the past', () => {
  test('is starting until a minute after the clock is right', async () => {
    const lateClock = createLateClock(new Date(Date.now() - 7 * 24 * 60 * 60_000))
    const { deps, features, stop } = await startServer({ replace: { clock: lateClock } })
    const late = { ...deps, lateClock, metrics: createMetrics() }
    const app = await createApp(late, features, { platform: openPlatform(late, features.hub, 0) })
    const readStatus = async () => {
      const { status } = (await app.inject({ url: '/v1/health', headers: { host: 'localhost' } })).json()
      return status
    }
    await deps.queue.enqueue(deps.db, 'rescan_skills', {})
    lateClock.moveTo(new Date(Date.now() - 60 * 60_000))
    expect(await readStatus()).toBe('starting')
    lateClock.catchUp()
    expect(await readStatus()).toBe('starting')
    await app.close()
    await stop()
  })
})

describe('health and metrics with a chain that accepts connections and never answers', () => {
  test('answer without waiting for the chain', async () => {
    const open = new Set<Socket>()
    const mute = createServer((socket) => {
      open.add(socket)
      socket.on('close', () => open.delete(socket))
      socket.on('error', () => {})
    }).listen(0, '127.0.0.1')
    await once(mute, 'listening')
    const { port } = mute.address() as { port: number }
    const beside = await startServer({
      env: {
        CHAIN_RPC_URL: `http://127.0.0.1:${port}`,
        CHAIN_ID: '97',
        SOCIAL_NETWORK: 'x-oembed',
        CONTRACT_ADDRESS: `0x${'11'.repeat(20)}`,
      },
    })
    const health = await beside.client().getHealth()
    expect(health).toMatchObject({
      status: 'degraded',
      reasons: ['The chain does not answer.'],
      checks: { chain: null },
    })
    expect(open.size).toBeGreaterThan(0)
    const metrics = await fetch(`${beside.url}/metrics`).then((answer) => answer.text())
    expect(metrics).toMatch(/^rookery_chain_lag_blocks Nan$/m)
    expect(open.size).toBeGreaterThan(0)
    for (const socket of open) socket.destroy()
    await beside.stop()
    mute.close()
  })
})

describeWithRedis('health with Redis', () => {
  test('reports when Redis is unreachable and when it is back', async () => {
    const redis = await startRedis()
    const beside = await startServer({ env: { REDIS_URL: redis.url, RATE_LIMIT_READS: '1000' } })
    const redisOf = async () => {
      const { status, checks } = await beside.client().getHealth()
      return `${status} ${checks.redis}`
    }
    await vi.waitFor(async () => expect(await redisOf()).toBe('ok ok'), soon)
    await redis.kill()
    await vi.waitFor(async () => expect(await redisOf()).toBe('degraded failed'), soon)
    await redis.restart()
    await vi.waitFor(async () => expect(await redisOf()).toBe('ok ok'), soon)
    await beside.stop()
    await redis.stop()
  })
})

describe('a provider of embeddings that is down', () => {
  test('is reported with its failure and counted, and so are texts whose jobs are postponed', async () => {
    let status = 200
    const provider = createHttpServer((request, response) => {
      request.resume().once('end', () => {
        const embedding = Array.from({ length: 8 }, (_, index) => index + 1)
        response.writeHead(status).end(JSON.stringify({ data: [{ index: 0, embedding }] }))
      })
    }).listen(0, '127.0.0.1')
    await once(provider, 'listening')
    const { port } = provider.address() as { port: number }
    const config = readConfig({ EMBEDDINGS: `http://127.0.0.1:${port}`, EMBEDDINGS_MODEL: 'some-model' })
    const embedders = openEmbedders(config, systemClock)
    const beside = await startServer({ replace: { embedders } })
    const metricsOf = async () => (await fetch(`${beside.url}/metrics`)).text()
    await embedders.configured.ready
    expect(await beside.client().getHealth()).toMatchObject({ status: 'ok' })
    expect(await metricsOf()).toMatch(/^rookery_embeddings_up 1$/m)

    status = 500
    await expect(embedders.configured.embed(['a query'], 'query')).rejects.toThrow('answered 500')
    expect(await beside.client().getHealth()).toMatchObject({
      status: 'degraded',
      reasons: [expect.stringContaining('The embeddings API answered 500')],
    })
    expect(await metricsOf()).toMatch(/^rookery_embeddings_up 0$/m)
    expect(await metricsOf()).toMatch(/^rookery_embeddings_failures_total [1-9]/m)

    status = 200
    await embedders.configured.embed(['a query'], 'query')
    expect(await beside.client().getHealth()).toMatchObject({ status: 'ok' })

    // What another process could not embed is seen here too, although it is not due again yet.
    const { db, queue, clock } = beside.deps
    await queue.enqueue(db, 'embed_tweet', { id: '0190f5c0-0000-7000-8000-000000000000' })
    beside.clock.advance(184_000)
    await db.run(sql`update job set run_at = ${new Date(clock.now().getTime() + 5_000)}`)
    expect(await beside.client().getHealth()).toMatchObject({
      status: 'degraded',
      reasons: ['Search by meaning is late: a text has waited for its vector for 184 s.'],
    })
    await beside.stop()
    await embedders.close()
    provider.close()
  })
})

describe('readiness', () => {
  test('needs a database that answers; that the process lives does not', async () => {
    const beside = await startServer()
    expect(await beside.client().getReadiness()).toEqual({ status: 'ready' })
    await beside.deps.database.close()
    await vi.waitFor(async () => {
      const { status, message, retryAfterSeconds } = await refusal(beside.client().getReadiness())
      expect([status, message, retryAfterSeconds]).toEqual([503, 'The database does not answer.', 1])
    }, soon)
    expect(await beside.client().getLiveness()).toEqual({ status: 'live' })
    await beside.stop().catch(() => {})
  })

  test('needs a database that takes writes', async () => {
    const beside = await startServer({ env: { DATABASE_POOL: '1' } })
    await beside.deps.db.run(sql`set default_transaction_read_only = on`)
    const { status, message } = await refusal(beside.client().getReadiness())
    expect([status, message]).toEqual([503, 'The database takes no writes.'])
    await beside.deps.db.run(sql`set default_transaction_read_only = off`)
    expect(await beside.client().getReadiness()).toEqual({ status: 'ready' })
    await beside.stop()
  })

  test('ends at once with the word to stop', async () => {
    const beside = await startServer()
    beside.deps.draining.begin()
    expect((await refusal(beside.client().getReadiness())).message).toBe('This process is about to stop.')
    expect((await beside.client().getHealth()).checks.database).toBe('ok')
    await beside.stop()
  })
})

test('without a database, health is 503 with the time to try again', async () => {
  const beside = await startServer()
  await beside.client().getHealth()
  await beside.deps.database.close()
  await vi.waitFor(async () => {
    const { status, code, retryAfterSeconds } = await refusal(beside.client().getHealth())
    expect({ status, code, retryAfterSeconds }).toEqual({ status: 503, code: 'NOT_READY', retryAfterSeconds: 1 })
  }, soon)
  await beside.stop().catch(() => {})
})
