import type { Clock } from '../../base/clock.js'
import { createPulse } from '../../base/pulse.js'
import { createRedisClient, RedisSilence, within } from '../redis-client.js'
import type { Limiter } from './limiter.js'
import { createMemoryLimiter } from './memory.js'

// Atomic on the server, so that parallel calls of several instances are counted one after another.
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

/** Counts in Redis, for all instances together. While Redis is down each instance counts for itself. */
export async function openRedisLimiter(options: {
  url: string
  clock: Clock
  onError(error: Error): void
}): Promise<Limiter> {
  const { url, clock, onError } = options
  const fallback = createMemoryLimiter(clock)
  const client = await createRedisClient({ url, onError })
  await Promise.race([new Promise((resolve) => client.once('ready', resolve)), delay(2_000)])

  let isAway = !client.isReady
  const pulse = createPulse({
    silentAfterMs: ANSWER_WITHIN_MS,
    isSilence: (error) => error instanceof RedisSilence,
    refusal: () => new RedisSilence('Redis is away'),
  })

  async function withFallback<T>(call: () => Promise<T>, fallback: () => Promise<T>): Promise<T> {
    try {
      if (!client.isReady) throw new RedisSilence('Redis is away')
      const answer = await pulse.run(() => within(ANSWER_WITHIN_MS, call()))
      isAway = false
      return answer
    } catch (error) {
      // Report the outage once, not for every call.
      if (!isAway) onError(error as Error)
      isAway = true
      return fallback()
    }
  }

  return {
    take: (bucket, rule) =>
      withFallback(
        async () => {
          const [allowed, remaining, leftMs] = (await client.eval(TAKE, {
            keys: [keyOf(bucket)],
            arguments: [String(rule.limit), String(rule.windowMs)],
          })) as [number, number, number]
          const resetAt = new Date(clock.now().getTime() + Math.max(leftMs, 0))
          return { allowed: allowed === 1, remaining, resetAt }
        },
        () => fallback.take(bucket, rule),
      ),
    remaining: (bucket, rule) =>
      withFallback(
        async () => Math.max(0, rule.limit - Number((await client.get(keyOf(bucket))) ?? 0)),
        () => fallback.remaining(bucket, rule),
      ),
    isAway: () =>
      withFallback(
        async () => (await client.ping()) === undefined,
        async () => true,
      ),
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
