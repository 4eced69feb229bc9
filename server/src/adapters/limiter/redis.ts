import type { Clock } from '../../base/clock.js'
import { createPulse } from '../../base/pulse.js'
import { createRedisClient, RedisSilence, within } from '../redis-client.js'
import type { Limiter } from './limiter.js'
import { createMemoryLimiter } from './memory.js'

// Atomic on the server, so that parallel calls of several instances are counted one after another.
const TAKE = `
local counts, limits, allowed = {}, {}, 1
for i, key in ipairs(KEYS) do
  counts[i] = tonumber(redis.call('get', key) or '0')
  limits[i] = tonumber(ARGV[i + 1])
  if counts[i] >= limits[i] then allowed = 0 end
end
local least, narrow = nil, nil
for i, key in ipairs(KEYS) do
  if allowed == 1 then
    counts[i] = redis.call('incr', key)
    if counts[i] == 1 then redis.call('pexpire', key, ARGV[1]) end
  end
  local left = math.max(0, limits[i] - counts[i])
  if least == nil or left < least then least, narrow = left, key end
end
local ttl = redis.call('pttl', narrow)
if ttl < 0 then ttl = ARGV[1] end
return {allowed, least, tonumber(ttl)}`

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

  async function withFallback<T>(call: () => Promise<T>, fallback: () => T | Promise<T>): Promise<T> {
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
    take: (bucket, rule, ceiling) =>
      withFallback(
        async () => {
          const [allowed, remaining, leftMs] = (await client.eval(TAKE, {
            keys: ceiling ? [keyOf(bucket), keyOf(ceiling.bucket)] : [keyOf(bucket)],
            arguments: [rule.windowMs, rule.limit, ...(ceiling ? [ceiling.limit] : [])].map(String),
          })) as [number, number, number]
          const resetAt = new Date(clock.now().getTime() + Math.max(leftMs, 0))
          return { allowed: allowed === 1, remaining, resetAt }
        },
        () => fallback.take(bucket, rule, ceiling),
      ),
    remaining: (bucket, rule, ceiling) =>
      withFallback(
        async () => {
          const [own, wide] = await client.mGet([keyOf(bucket), keyOf(ceiling?.bucket ?? bucket)])
          return Math.max(0, Math.min(rule.limit - Number(own ?? 0), (ceiling ?? rule).limit - Number(wide ?? 0)))
        },
        () => fallback.remaining(bucket, rule, ceiling),
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
