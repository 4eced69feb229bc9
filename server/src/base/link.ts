/** How two processes send each other messages. */
export interface Channel {
  send(message: unknown): void
  onMessage(listener: (message: unknown) => void): void
}

/** Two processes that ask each other, in the order in which they do. Bodies and answers are JSON. */
export interface Link {
  /** Resolves with the answer. Rejects when the other refuses or has ended. */
  ask(name: string, body?: unknown): Promise<unknown>
  /** Says something that has no answer. */
  tell(name: string, body?: unknown): void
  /** Answers what the other asks or hears what it tells under this name. */
  on(name: string, handler: (body: never) => unknown): void
  /** Call when the other has ended: nothing is answered any more. */
  end(): void
}

interface Part {
  /** Absent where nobody waits. */
  readonly id?: number
  readonly name?: string
  readonly body?: unknown
  readonly error?: string
}

const ENDED = 'the other process has ended'

/** What is said within one turn of the event loop goes in one message, since each costs a system call on both sides. */
export function createLink(channel: Channel): Link {
  const handlers = new Map<string, (body: never) => unknown>()
  const waiting = new Map<number, { resolve(body: unknown): void; reject(error: Error): void }>()
  let parts: Part[] = []
  let lastId = 0
  let hasEnded = false

  function say(part: Part): void {
    if (hasEnded) return
    if (parts.length === 0) setImmediate(flush)
    parts.push(part)
  }

  function flush(): void {
    const sent = parts
    parts = []
    if (!hasEnded) channel.send({ rookery: sent })
  }

  function hear({ id, name, body, error }: Part): void {
    if (name === undefined) {
      const asker = waiting.get(id ?? 0)
      waiting.delete(id ?? 0)
      if (error === undefined) asker?.resolve(body)
      else asker?.reject(new Error(error))
      return
    }
    const answer = async () => handlers.get(name)?.(body as never)
    answer().then(
      (body) => id !== undefined && say({ id, body }),
      (error: Error) => id !== undefined && say({ id, error: error.message }),
    )
  }

  channel.onMessage((message) => {
    const parts = (message as { rookery?: Part[] } | null)?.rookery
    for (const part of parts ?? []) hear(part)
  })

  return {
    ask: (name, body) =>
      new Promise((resolve, reject) => {
        if (hasEnded) return reject(new Error(ENDED))
        waiting.set(++lastId, { resolve, reject })
        say({ id: lastId, name, body })
      }),
    tell: (name, body) => say({ name, body }),
    on: (name, handler) => void handlers.set(name, handler),
    end() {
      hasEnded = true
      for (const { reject } of waiting.values()) reject(new Error(ENDED))
      waiting.clear()
    },
  }
}
