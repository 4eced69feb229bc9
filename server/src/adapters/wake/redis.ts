import { createRedisClient } from '../redis-client.js'
import type { Waker } from './waker.js'

const CHANNEL = 'rookery:events'

/** Wakes over Redis. While Redis is away nobody is woken; when it is back all look once. */
export async function openRedisWaker({ url, onError }: { url: string; onError(error: Error): void }): Promise<Waker> {
  const listeners: (() => void)[] = []
  const wakeAll = () => {
    for (const listener of listeners) listener()
  }
  const speaker = await createRedisClient({ url, onError })
  const hearer = await createRedisClient({ url, onError, isPatient: true })
  hearer.on('ready', wakeAll)
  hearer.subscribe(CHANNEL, wakeAll).catch(onError)
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
