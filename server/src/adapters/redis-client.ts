import type { RedisClientType } from 'redis'

export interface RedisOptions {
  readonly url: string
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
  client.on('error', onError)
  client.connect().catch(onError)
  return client
}
