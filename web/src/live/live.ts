import type { LiveEvent, Topic } from '@rookery/sdk'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { watchReader } from '../api/reader.js'
import { openChannel } from './channel.js'
import { createHub, type LiveState } from './hub.js'

export type { LiveState } from './hub.js'

const hub = createHub(openChannel)
watchReader(hub.restart)

/** Hears events of the topics while the caller is shown. Which topics these are may change. */
export function useLive(topics: readonly Topic[], hear: (event: LiveEvent) => void): void {
  const latest = useRef(hear)
  latest.current = hear
  const names = topics.join()
  useEffect(() => {
    if (names === '') return
    return hub.listen(names.split(',') as Topic[], (event) => latest.current(event))
  }, [names])
}

/** Whether what is shown moves by itself. */
export function useLiveState(): LiveState {
  return useSyncExternalStore(hub.watch, hub.state)
}

/** For the refetchInterval of a query: how often to ask again while events do not come by themselves. */
export function usePolling(everyMs: number): number | false {
  return useLiveState() === 'live' ? false : everyMs
}
