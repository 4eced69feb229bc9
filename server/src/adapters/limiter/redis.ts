import type { Clock } from '../../clock.js'
import { createRedisClient } from '../redis-client.js'
import type { Limiter } from './limiter.js'
import { createMemoryLimiter } from './memory.js'

// One step on the server, so that parallel calls of several instances are counted one after the other.
const TAKE = `
local count = tonumber(redis.call('get', KEYS[1]) or '0')
local limit = tonumber(ARGV[1])
if count < limit then
  count = redis.call('incr', KEYS[1])
  if count == 1 then redis.call('pexpire', KEYS[1], ARGV[2]) end
  return {1, limit - count, redis.call('pttl', KEYS[1])}
end
return {0, 0, redis.call('pttl', KEYS[1])}`

const ANSWER_WITHIN_MS = 500

/** Counts in Redis, for all instances together. While Redis is away each instance counts for itself. */
export async function openRedisLimiter(options: {
  url: string
  clock: Clock
  onError(error: Error): void
}): Promise<Limiter> {
  const { url, clock, onError } = options
  const fallback = createMemoryLimiter(clock)
  const client = await createRedisClient({ url, onError })
  await Promise.race([new Promise((resolve) => client.once('ready', resolve)), delay(2_000)])

  return {
    async take(bucket, rule) {
      if (!client.isReady) return fallback.take(bucket, rule)
      try {
        const reply = client.eval(TAKE, {
          keys: [keyOf(bucket)],
          arguments: [String(rule.limit), String(rule.windowMs)],
        })
        const [allowed, remaining, leftMs] = (await withTimeout(reply)) as [number, number, number]
        const resetAt = new Date(clock.now().getTime() + Math.max(leftMs, 0))
        return { allowed: allowed === 1, remaining, resetAt }
      } catch (error) {
        onError(error as Error)
        return fallback.take(bucket, rule)
      }
    },
    async remaining(bucket, rule) {
      if (!client.isReady) return fallback.remaining(bucket, rule)
      try {
        return Math.max(0, rule.limit - Number((await withTimeout(client.get(keyOf(bucket)))) ?? 0))
      } catch (error) {
        onError(error as Error)
        return fallback.remaining(bucket, rule)
      }
    },
    async close() {
      client.destroy()
      await fallback.close()
    },
  }
}

const keyOf = (bucket: string) => `rookery:limit:${bucket}`

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref())
}

function withTimeout<T>(work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    delay(ANSWER_WITHIN_MS).then(() => {
      throw new Error(`Redis did not answer within ${ANSWER_WITHIN_MS} ms`)
    }),
  ])
}
