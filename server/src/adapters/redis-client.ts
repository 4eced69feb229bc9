import type { RedisClientType } from 'redis'
import { before } from '../base/before.js'

export interface RedisOptions {
  readonly url: string
  /** Called once per outage. */
  onError(error: Error): void
  /** Whether commands wait for a connection; otherwise they fail at once. */
  readonly isPatient?: boolean
}

/** Creates a client that reconnects forever and is already connecting. The library is imported on demand, because loading it takes time. */
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
  // The client retries by itself; its last attempt fails when it is closed.
  client.connect().catch(() => {})
  return client
}

/** Redis accepted the command but gave no answer in time. */
export class RedisSilence extends Error {
  override readonly name = 'RedisSilence'
}

/** Resolves with the answer to a command, or fails if it does not come in time. */
export function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  return before(answer, ms, () => {
    throw new RedisSilence(`Redis did not answer within ${ms} ms`)
  })
}

/** The message names the variable and the address, but not the password. */
function outage(url: string, error: Error & { code?: string }): Error {
  const { protocol, host, pathname } = new URL(url)
  const address = protocol === 'unix:' ? pathname : host
  return new Error(`REDIS_URL: Redis at ${address} does not answer (${error.message || error.code}).`, { cause: error })
}
