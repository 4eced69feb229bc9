import type { LiveEvent, Topic } from '@rookery/sdk'

/** Whether events come by themselves. While they do not, whoever shows something asks again from time to time. */
export type LiveState = 'live' | 'polling'

export type Listener = (event: LiveEvent) => void

/** Gives events until it is aborted, over interruptions too, and says whenever the connection is there and is lost. */
export type OpenChannel = (
  topics: readonly Topic[],
  options: { resume?: string; signal: AbortSignal; opened: () => void; lost: () => void },
) => AsyncIterable<LiveEvent>

/** The one connection of this page, shared by all who listen. */
export interface Hub {
  /** Hears events of the topics until the returned function is called. */
  listen(topics: readonly Topic[], listener: Listener): () => void
  state(): LiveState
  /** Calls back whenever the state changes. */
  watch(watcher: () => void): () => void
  /** Connects anew, since the service may now tell the reader other things. */
  restart(): void
}

/** Keeps one connection to the topics that are listened to. With other topics, it goes on after the last event it saw. */
export function createHub(open: OpenChannel): Hub {
  const listeners = new Map<Listener, readonly Topic[]>()
  const watchers = new Set<() => void>()
  let state: LiveState = 'polling'
  let connected = ''
  let lastId: string | undefined
  let run = new AbortController()

  function become(next: LiveState): void {
    if (state === next) return
    state = next
    for (const watcher of watchers) watcher()
  }

  function hear(event: LiveEvent): void {
    lastId = event.id
    for (const listener of [...listeners.keys()]) {
      try {
        listener(event)
      } catch (error) {
        // One that fails must not end the connection for all.
        reportError(error)
      }
    }
  }

  // Screens come and go in one turn, so the connection changes only when all of them have had their say.
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
    const events = open(topics, { ...resume, signal, opened: becomes('live'), lost: becomes('polling') })
    for await (const event of events) if (!signal.aborted) hear(event)
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
