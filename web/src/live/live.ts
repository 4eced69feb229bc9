import type { LiveEvent, Topic } from '@rookery/sdk'
import { notifyManager } from '@tanstack/react-query'
import { startTransition, useEffect, useRef, useSyncExternalStore } from 'react'
import { watchReader } from '../api/reader.js'
import { createBatches } from './batch.js'
import { openChannel } from './channel.js'
import { createHub, type LiveState } from './hub.js'

export type { LiveState } from './hub.js'

const hub = createHub(openChannel)
watchReader(hub.restart)

// A click or a key interrupts what events change.
const batches = createBatches({
  gapMs: 250,
  together: (deliver) => startTransition(() => notifyManager.batch(deliver)),
})

/** Receives events of the topics while the component is mounted: those that came together in one call. The topics may change. */
export function useLiveBatches(topics: readonly Topic[], onEvents: (events: readonly LiveEvent[]) => void): void {
  const latest = useRef(onEvents)
  latest.current = onEvents
  const names = topics.join()
  useEffect(() => {
    if (names === '') return
    const listener = (events: readonly LiveEvent[]) => latest.current(events)
    const stop = hub.listen(names.split(',') as Topic[], (event) => batches.add(listener, event))
    return () => {
      stop()
      batches.drop(listener)
    }
  }, [names])
}

/** The same, one event at a time. */
export function useLive(topics: readonly Topic[], onEvent: (event: LiveEvent) => void): void {
  useLiveBatches(topics, (events) => {
    for (const event of events) onEvent(event)
  })
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(hub.watch, hub.state)
}

/** How soon a query is asked again; depends on when it was last answered. */
export type Polling = (query: { readonly state: { readonly dataUpdatedAt: number } }) => number | false

/**
 * The refetchInterval of a query: polls while events are not streamed, and once more when they are, because something
 * may have happened between the answer and the first event. `whileLiveMs` is for what changes without an event.
 */
export function usePolling(everyMs: number, whileLiveMs: number | false = false): Polling {
  const isLive = useLiveState() === 'live'
  return ({ state }) => (isLive && state.dataUpdatedAt > hub.since() ? whileLiveMs : everyMs)
}
