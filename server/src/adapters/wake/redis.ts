import { createClient } from 'redis'
import type { Waker } from './waker.js'

const CHANNEL = 'rookery:events'

/** Wakes over Redis. While Redis is away nobody is woken; when it is back all look once. */
export async function openRedisWaker({ url, onError }: { url: string; onError(error: Error): void }): Promise<Waker> {
  const listeners: (() => void)[] = []
  const wakeAll = () => {
    for (const listener of listeners) listener()
  }
  const options = {
    url,
    disableOfflineQueue: true,
    socket: { reconnectStrategy: (retries: number) => Math.min(100 * 2 ** retries, 3_000), connectTimeout: 2_000 },
  }
  const speaker = createClient(options).on('error', onError)
  const hearer = createClient({ ...options, disableOfflineQueue: false })
    .on('error', onError)
    .on('ready', wakeAll)
  speaker.connect().catch(onError)
  hearer
    .connect()
    .then(() => hearer.subscribe(CHANNEL, wakeAll))
    .catch(onError)
  return {
    wake() {
      if (speaker.isReady) speaker.publish(CHANNEL, '').catch(onError)
    },
    onWoken: (listener) => void listeners.push(listener),
    async close() {
      speaker.destroy()
      hearer.destroy()
    },
  }
}
