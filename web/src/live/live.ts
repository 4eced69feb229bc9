import type { LiveEvent, Topic } from '@rookery/sdk'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { watchReader } from '../api/reader.js'
import { openChannel } from './channel.js'
import { createHub, type LiveState } from './hub.js'

export type { LiveState } from './hub.js'

const hub = createHub(openChannel)
watchReader(hub.restart)

/** Receives events of the topics while the component is mounted. The topics may change. */
export function useLive(topics: readonly Topic[], onEvent: (event: LiveEvent) => void): void {
  const latest = useRef(onEvent)
  latest.current = onEvent
  const names = topics.join()
  useEffect(() => {
    if (names === '') return
    return hub.listen(names.split(',') as Topic[], (event) => latest.current(event))
  }, [names])
}

export function useLiveState(): LiveState {
  return useSyncExternalStore(hub.watch, hub.state)
}

/** The refetchInterval of a query: polls only while events are not streamed. */
export function usePolling(everyMs: number): number | false {
  return useLiveState() === 'live' ? false : everyMs
}
