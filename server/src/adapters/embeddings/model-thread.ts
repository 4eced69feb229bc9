import { startThread } from '../../base/thread.js'
import { EmbeddingUnavailable } from './embedder.js'

/** How exactly the weights are kept, which decides the runtime: `int8` runs natively, `fp16` in WebAssembly. */
export type Precision = 'int8' | 'fp16'

export type Kind = 'query' | 'document'

/** What the thread is started with. */
export interface ThreadData {
  readonly precision: Precision | undefined
  /** How far it steps back behind other threads, up to 19. */
  readonly nice: number
}

/** What the thread says. */
export type FromThread =
  | { readonly ready: Precision }
  | { readonly failed: string }
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly id: number; readonly error: string }

/** What the thread is told. */
export type ToThread = { readonly id: number; readonly texts: readonly string[]; readonly kind: Kind } | 'close'

/** A thread with a model. */
export interface ModelThread {
  readonly ready: Promise<Precision>
  embed(texts: readonly string[], kind: Kind): Promise<Float32Array[]>
  /** Refuses what waits, and ends. */
  close(): Promise<void>
}

interface Ask {
  resolve(vectors: Float32Array[]): void
  reject(error: Error): void
}

// The thread makes little garbage; by default twice as much is kept for it.
const YOUNG_MB = 8

/** Starts a thread that loads a model. `onEnd` is called when it can no longer be used. */
export function startModelThread(data: ThreadData, onEnd: () => void): ModelThread {
  const thread = startThread('./local-thread.js', import.meta.url, data, { maxYoungGenerationSizeMb: YOUNG_MB })
  const asks = new Map<number, Ask>()
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  let lastId = 0
  let ended: Error | undefined

  const ready = new Promise<Precision>((resolve, reject) => {
    thread.on('message', (said: FromThread) => {
      if ('ready' in said) resolve(said.ready)
      else if ('failed' in said) end(new EmbeddingUnavailable(said.failed))
      else answer(said)
    })
    thread.once('error', end)
    thread.once('exit', () => end(new EmbeddingUnavailable('The thread of the embedding model ended')))

    function end(error: Error): void {
      if (ended) return
      ended = error
      reject(error)
      onEnd()
      for (const ask of asks.values()) ask.reject(new EmbeddingUnavailable(error.message, { cause: error }))
      asks.clear()
      void thread.terminate()
    }
  })
  ready.catch(() => {})

  function answer(said: Extract<FromThread, { id: number }>): void {
    const ask = asks.get(said.id)
    asks.delete(said.id)
    if ('error' in said) ask?.reject(new EmbeddingUnavailable(said.error))
    else ask?.resolve([...said.vectors])
  }

  return {
    ready,
    embed(texts, kind) {
      return new Promise((resolve, reject) => {
        if (ended) return reject(new EmbeddingUnavailable(ended.message, { cause: ended }))
        const id = ++lastId
        asks.set(id, { resolve, reject })
        thread.postMessage({ id, texts, kind } satisfies ToThread)
      })
    },
    async close() {
      thread.postMessage('close' satisfies ToThread)
      await exited
    },
  }
}
