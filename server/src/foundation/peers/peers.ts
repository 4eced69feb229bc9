/**
 * The processes that serve one database. What one tells, all have heard when `tell` resolves: this is what lets each
 * keep a cache and still forget an entry everywhere before the call that ended it is answered.
 */
export interface Peers {
  /** Resolves when every instance that could still answer from its cache has run its handlers. */
  tell(topic: string, body: string): Promise<void>
  /** Says something to the other instances without waiting for anyone to hear it. */
  mention(topic: string, body: string): Promise<void>
  on(topic: string, handler: (body: string) => void): void
  /** Calls `handler` when something may have been told that this instance did not hear. */
  onGap(handler: () => void): void
  /** Whether this instance is sure to hear the others. While it is not, it must not answer from a cache. */
  isListening(): boolean
  close(): Promise<void>
}

/** Handlers by topic. */
export function createHandlers() {
  const handlers = new Map<string, ((body: string) => void)[]>()
  return {
    on(topic: string, handler: (body: string) => void): void {
      handlers.set(topic, [...(handlers.get(topic) ?? []), handler])
    },
    run(topic: string, body: string): void {
      for (const handler of handlers.get(topic) ?? []) handler(body)
    },
  }
}

/** The only process of its database. */
export function createLonePeers(): Peers {
  const handlers = createHandlers()
  return {
    on: handlers.on,
    onGap: () => {},
    tell: async (topic, body) => handlers.run(topic, body),
    mention: async () => {},
    isListening: () => true,
    close: async () => {},
  }
}
