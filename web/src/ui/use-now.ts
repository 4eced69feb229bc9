import { useSyncExternalStore } from 'react'

const TICK_MS = 20_000

let now = new Date()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

// One clock for all times on the page, running while any is shown.
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(tick, TICK_MS)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}

function tick(): void {
  now = new Date()
  for (const listener of listeners) listener()
}

/** The current time, updated a few times a minute. */
export function useNow(): Date {
  return useSyncExternalStore(subscribe, () => now)
}
