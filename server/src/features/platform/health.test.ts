import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { describeWithRedis, startRedis } from '../../../test/redis.js'
import { refusal } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'

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
