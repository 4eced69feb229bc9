import { createRedisClient, within } from '../redis-client.js'
import type { Waker } from './waker.js'

const CHANNEL = 'rookery:events'
const ANSWER_WITHIN_MS = 2_000

/** Wakes through Redis. While Redis is down nobody is woken; when it is back, all instances check once. */
export async function openRedisWaker({ url, onError }: { url: string; onError(error: Error): void }): Promise<Waker> {
  const listeners: (() => void)[] = []
  const wakeAll = () => {
    for (const listener of listeners) listener()
  }
  // Both connections fail together; only one reports it.
  const speaker = await createRedisClient({ url, onError: () => {} })
  const hearer = await createRedisClient({ url, onError, isPatient: true })
  hearer.on('ready', wakeAll)
  hearer.subscribe(CHANNEL, wakeAll).catch(onError)
  let isSending = false
  let isDue = false

  // One at a time: messages that Redis does not accept would pile up.
  async function send(): Promise<void> {
    isSending = true
    while (isDue && speaker.isReady) {
      isDue = false
      await within(ANSWER_WITHIN_MS, speaker.publish(CHANNEL, '')).catch(onError)
    }
    isSending = false
  }

  return {
    wake() {
      isDue = true
      if (!isSending) void send()
    },
    onWoken: (listener) => void listeners.push(listener),
    async close() {
      speaker.destroy()
      hearer.destroy()
    },
  }
}
