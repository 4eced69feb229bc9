import type { EventEmitter } from 'node:events'

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** Lets a command end its work in order on Ctrl-C. A second Ctrl-C ends the program at once. */
export function createInterrupts(source: EventEmitter): (stop: () => void) => () => void {
  const stops = new Set<() => void>()
  function listen(isOn: boolean): void {
    for (const signal of SIGNALS) {
      if (isOn) source.on(signal, interrupt)
      else source.off(signal, interrupt)
    }
  }
  function interrupt(): void {
    listen(false)
    for (const stop of stops) stop()
    stops.clear()
  }
  return (stop) => {
    if (stops.size === 0) listen(true)
    stops.add(stop)
    return () => {
      if (stops.delete(stop) && stops.size === 0) listen(false)
    }
  }
}
