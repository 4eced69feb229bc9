import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { describeWithRedis, startRedis, type TestRedis } from '../../../test/redis.js'
import { systemClock } from '../../base/clock.js'
import { limiterContract } from './limiter.contract.js'
import { openRedisLimiter } from './redis.js'

let redis: TestRedis

const open = (onError: (error: Error) => void = () => {}) =>
  openRedisLimiter({ url: redis.url, clock: systemClock, onError })

describeWithRedis('over Redis', () => {
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis?.stop())

  limiterContract('Redis', async () => ({ limiter: await open(), wait: (ms) => wait(ms) }))

  test('several instances share one allowance, exactly, under parallel calls', async () => {
    const limiters = await Promise.all([open(), open(), open()])
    const rule = { limit: 30, windowMs: 60_000 }
    const taken = await Promise.all(Array.from({ length: 45 }, (_, index) => limiters[index % 3]?.take('shared', rule)))
    expect(taken.filter((allowance) => allowance?.allowed)).toHaveLength(30)
    await Promise.all(limiters.map((limiter) => limiter.close()))
  })

  test('instances count for themselves while Redis is down, and together again when it is back', async () => {
    const limiter = await open()
    const rule = { limit: 2, windowMs: 60_000 }
    await limiter.take('outage', rule)
    await redis.kill()
    await expect.poll(async () => (await limiter.take('probe', { limit: 1_000_000, windowMs: 1 })).allowed).toBe(true)
    expect((await limiter.take('outage', rule)).remaining).toBe(1)
    await redis.restart()
    const other = await open()
    await other.take('together', rule)
    await expect.poll(async () => (await limiter.take('together', rule)).allowed, { timeout: 10_000 }).toBe(false)
    await Promise.all([limiter.close(), other.close()])
  })
})
