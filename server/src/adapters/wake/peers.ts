import type { Waker } from './waker.js'

/** How instances reach each other through the database. */
export interface WakingPeers {
  on(topic: string, listener: () => void): void
  onGap(listener: () => void): void
  publish(topic: string, message: string): Promise<void>
}

const TOPIC = 'events.ordered'
const AT_MOST_EVERY_MS = 20

/** Wakes through database notifications, a few dozen times a second at most: each takes a server-wide lock. */
export function createPeersWaker({ peers, onError }: { peers: WakingPeers; onError(error: Error): void }): Waker {
  const listeners: (() => void)[] = []
  const wakeAll = () => {
    for (const listener of listeners) listener()
  }
  let timer: NodeJS.Timeout | undefined
  peers.on(TOPIC, wakeAll)
  peers.onGap(wakeAll)
  return {
    wake() {
      timer ??= setTimeout(() => {
        timer = undefined
        peers.publish(TOPIC, '').catch(onError)
      }, AT_MOST_EVERY_MS)
    },
    onWoken: (listener) => void listeners.push(listener),
    async close() {
      clearTimeout(timer)
    },
  }
}
