import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.js'
import type { Config } from '../../config/config.js'
import type { Limiter } from './limiter.js'
import { createMemoryLimiter } from './memory.js'
import { openRedisLimiter } from './redis.js'

export async function openLimiter({ REDIS_URL }: Config, clock: Clock, log: Logger): Promise<Limiter> {
  if (!REDIS_URL) return createMemoryLimiter(clock)
  const onError = (error: Error) =>
    log.warn({ message: error.message }, 'Redis is away; limits are counted per instance')
  return openRedisLimiter({ url: REDIS_URL, clock, onError })
}
