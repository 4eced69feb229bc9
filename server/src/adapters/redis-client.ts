import type { RedisClientType } from 'redis'
import { before } from '../base/before.js'

export interface RedisOptions {
  readonly url: string
  /** Called once when Redis goes away, and again only after it was back. */
  onError(error: Error): void
  /** Whether commands wait for a connection; they fail at once otherwise. */
  readonly isPatient?: boolean
}

/** A client that tries again for ever, and is connecting already. The library is loaded only where Redis is used: that takes its time. */
export async function createRedisClient({ url, onError, isPatient = false }: RedisOptions): Promise<RedisClientType> {
  const { createClient } = await import('redis')
  const client: RedisClientType = createClient({
    url,
    disableOfflineQueue: !isPatient,
    socket: { reconnectStrategy: (retries) => Math.min(100 * 2 ** retries, 3_000), connectTimeout: 2_000 },
  })
  let isAway = false
  client.on('ready', () => {
    isAway = false
  })
  client.on('error', (error: Error) => {
    if (!isAway) onError(outage(url, error))
    isAway = true
  })
  // It tries again by itself; the last attempt fails when it is closed.
  client.connect().catch(() => {})
  return client
}

/** Redis took the command and gave no answer in time. */
export class RedisSilence extends Error {
  override readonly name = 'RedisSilence'
}

/** The answer to a command, if it comes in time. */
export function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return before(answer, ms, () => {
    throw new RedisSilence(`Redis did not answer within ${ms} ms`)
  })
}

/** Names the variable and the address, and not the password. */
function outage(url: string, error: Error & { code?: string }): Error {
  const { protocol, host, pathname } = new URL(url)
  const address = protocol === 'unix:' ? pathname : host
  return new Error(`REDIS_URL: Redis at ${address} does not answer (${error.message || error.code}).`, { cause: error })
}
