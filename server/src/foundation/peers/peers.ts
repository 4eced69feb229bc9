/**
 * The processes that serve one database. When `broadcast` resolves, all of them have handled the message: each can
 * keep a cache and still drop an entry everywhere before the call that invalidated it returns.
 */
export interface Peers {
  /** The id of this instance among them; empty where it is the only one. */
  readonly instanceId: string
  /** Resolves when every instance that could still answer from its cache has run its handlers. */
  broadcast(topic: string, body: string): Promise<void>
  /** Sends a message to the other instances without waiting for them. */
  publish(topic: string, body: string): Promise<void>
  on(topic: string, handler: (body: string) => void): void
  /** Calls `handler` when this instance may have missed a message. */
  onGap(handler: () => void): void
  /** Whether this instance is sure to receive messages. While it is not, it must not use its caches. */
  isListening(): boolean
  /** Whether an operator wants this instance to get no new callers. */
  isDraining(): boolean
  close(): Promise<void>
}

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
    instanceId: '',
    on: handlers.on,
    onGap: () => {},
    broadcast: async (topic, body) => handlers.run(topic, body),
    publish: async () => {},
    isListening: () => true,
    isDraining: () => false,
    close: async () => {},
  }
}
