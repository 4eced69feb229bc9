import type { LiveEvent, Topic } from '@rookery/sdk'

/** Whether events are streamed. While they are not, queries poll. */
export type LiveState = 'live' | 'polling'

export type Listener = (event: LiveEvent) => void

/** Yields events until aborted, across interruptions, and reports when the connection opens, how far it is, and when it is lost. */
export type OpenChannel = (
  topics: readonly Topic[],
  options: {
    resume?: string
    signal: AbortSignal
    opened: () => void
    reached: (position: string) => void
    lost: () => void
    restarted: () => void
  },
) => AsyncIterable<LiveEvent>

/** The page’s only connection, shared by all listeners. */
export interface Hub {
  /** Receives events of the topics until the returned function is called. */
  listen(topics: readonly Topic[], listener: Listener): () => void
  state(): LiveState
  /** When the state last changed. */
  since(): number
  /** Calls the watcher whenever the state changes. */
  watch(watcher: () => void): () => void
  /** Reconnects, because another reader may receive other events. */
  restart(): void
}

/** Keeps one connection for all topics in use. When the topics change, it resumes after the last event. */
export function createHub(open: OpenChannel): Hub {
  const listeners = new Map<Listener, readonly Topic[]>()
  const watchers = new Set<() => void>()
  let state: LiveState = 'polling'
  let since = Date.now()
  let connected = ''
  let lastId: string | undefined
  let run = new AbortController()

  function become(next: LiveState): void {
    if (state === next) return
    state = next
    since = Date.now()
    for (const watcher of watchers) watcher()
  }

  function dispatch(event: LiveEvent): void {
    lastId = event.id
    for (const listener of [...listeners.keys()]) {
      try {
        listener(event)
      } catch (error) {
        // A failing listener must not end the connection for all.
        reportError(error)
      }
    }
  }

  // Several screens may come and go in one turn; reconnect once, after all of them.
  function follow(): void {
    queueMicrotask(reconnect)
  }

  function reconnect(): void {
    const topics = [...new Set([...listeners.values()].flat())].sort()
    if (topics.join() === connected) return
    connected = topics.join()
    run.abort()
    run = new AbortController()
    if (topics.length > 0) void connect(topics, run)
    else {
      lastId = undefined
      become('polling')
    }
  }

  async function connect(topics: readonly Topic[], { signal }: AbortController): Promise<void> {
    const becomes = (next: LiveState) => () => {
      if (!signal.aborted) become(next)
    }
    const resume = lastId === undefined ? {} : { resume: lastId }
    const reached = (position: string | undefined) => {
      if (!signal.aborted) lastId = position
    }
    const events = open(topics, {
      ...resume,
      signal,
      opened: becomes('live'),
      reached,
      lost: becomes('polling'),
      restarted: () => reached(undefined),
    })
    for await (const event of events) if (!signal.aborted) dispatch(event)
  }

  return {
    listen(topics, listener) {
      listeners.set(listener, topics)
      follow()
      return () => {
        listeners.delete(listener)
        follow()
      }
    },
    state: () => state,
    since: () => since,
    watch(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    restart() {
      connected = ''
      follow()
    },
  }
}
