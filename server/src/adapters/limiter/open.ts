import type { Logger } from 'pino'
import type { Clock } from '../../base/clock.js'
import type { Link } from '../../base/link.js'
import type { Config } from '../../config/config.js'
import type { Limiter } from './limiter.js'
import { createMemoryLimiter } from './memory.js'
import { createPrimaryLimiter } from './primary.js'
import { openRedisLimiter } from './redis.js'

/** Counts in this process, for those that it has started too. */
export const openMemoryLimiter = (clock: Clock): Limiter => createMemoryLimiter(clock)

/** `primary` is the process that started this one beside others. */
export async function openLimiter({ REDIS_URL }: Config, clock: Clock, log: Logger, primary?: Link): Promise<Limiter> {
  if (!REDIS_URL) return primary ? createPrimaryLimiter(primary) : createMemoryLimiter(clock)
  const onError = (error: Error) =>
    log.warn({ message: error.message }, 'Redis is away; limits are counted per instance')
  return openRedisLimiter({ url: REDIS_URL, clock, onError })
}
