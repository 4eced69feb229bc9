import { createRedisClient, within } from '../redis-client.js'
import type { Waker } from './waker.js'

const CHANNEL = 'rookery:events'
const ANSWER_WITHIN_MS = 2_000

/** Wakes over Redis. While Redis is away nobody is woken; when it is back all look once. */
export async function openRedisWaker({ url, onError }: { url: string; onError(error: Error): void }): Promise<Waker> {
  const listeners: (() => void)[] = []
  const wakeAll = () => {
    for (const listener of listeners) listener()
  }
  // Both go away together; one of them says so.
  const speaker = await createRedisClient({ url, onError: () => {} })
  const hearer = await createRedisClient({ url, onError, isPatient: true })
  hearer.on('ready', wakeAll)
  hearer.subscribe(CHANNEL, wakeAll).catch(onError)
  let isSaying = false
  let isDue = false

  // One at a time: what Redis does not take would pile up.
  async function say(): Promise<void> {
    isSaying = true
    while (isDue && speaker.isReady) {
      isDue = false
      await within(ANSWER_WITHIN_MS, speaker.publish(CHANNEL, '')).catch(onError)
    }
    isSaying = false
  }

  return {
    wake() {
      isDue = true
      if (!isSaying) void say()
    },
    onWoken: (listener) => void listeners.push(listener),
    async close() {
      speaker.destroy()
      hearer.destroy()
    },
  }
}
