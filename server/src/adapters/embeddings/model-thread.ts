import { startThread } from '../../base/thread.js'
import { declineTelemetry } from '../../config/config.js'
import { EmbeddingUnavailable } from './embedder.js'

/** The precision of the weights, which decides the runtime: `int8` runs natively, `fp16` in WebAssembly. */
export type Precision = 'int8' | 'fp16'

/** What a text is to the model. `layers` asks for the means of all its layers instead of a vector of length 1. */
export type Kind = 'query' | 'document' | 'layers'

export interface ThreadData {
  readonly precision: Precision | undefined
  /** The nice value of the thread, up to 19. */
  readonly nice: number
}

/** What the thread says. */
export type FromThread =
  | { readonly ready: Precision }
  | { readonly failed: string }
  | { readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly id: number; readonly error: string }

export type ToThread = { readonly id: number; readonly texts: readonly string[]; readonly kind: Kind } | 'close'

/** A thread with a model. */
export interface ModelThread {
  readonly ready: Promise<Precision>
  embed(texts: readonly string[], kind: Kind): Promise<Float32Array[]>
  /** Refuses waiting requests and ends the thread. */
  close(): Promise<void>
}

interface PendingRequest {
  resolve(vectors: Float32Array[]): void
  reject(error: Error): void
}

// The thread makes little garbage, and the default would reserve twice as much.
const YOUNG_MB = 8

/** Starts a thread that loads a model. `onEnd` is called when it can no longer be used. */
export function startModelThread(data: ThreadData, onEnd: () => void): ModelThread {
  // Here and not in the thread, whose environment the runtime does not see.
  declineTelemetry()
  const thread = startThread('./local-thread.js', import.meta.url, data, { maxYoungGenerationSizeMb: YOUNG_MB })
  const pending = new Map<number, PendingRequest>()
  const exited = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  let lastId = 0
  let ended: Error | undefined

  const ready = new Promise<Precision>((resolve, reject) => {
    thread.on('message', (message: FromThread) => {
      if ('ready' in message) resolve(message.ready)
      else if ('failed' in message) end(new EmbeddingUnavailable(message.failed))
      else answer(message)
    })
    thread.once('error', end)
    thread.once('exit', () => end(new EmbeddingUnavailable('The thread of the embedding model ended')))

    function end(error: Error): void {
      if (ended) return
      ended = error
      reject(error)
      onEnd()
      for (const request of pending.values()) request.reject(new EmbeddingUnavailable(error.message, { cause: error }))
      pending.clear()
      void thread.terminate()
    }
  })
  ready.catch(() => {})

  function answer(message: Extract<FromThread, { id: number }>): void {
    const request = pending.get(message.id)
    pending.delete(message.id)
    if ('error' in message) request?.reject(new EmbeddingUnavailable(message.error))
    else request?.resolve([...message.vectors])
  }

  return {
    ready,
    embed(texts, kind) {
      return new Promise((resolve, reject) => {
        if (ended) return reject(new EmbeddingUnavailable(ended.message, { cause: ended }))
        const id = ++lastId
        pending.set(id, { resolve, reject })
        thread.postMessage({ id, texts, kind } satisfies ToThread)
      })
    },
    async close() {
      thread.postMessage('close' satisfies ToThread)
      await exited
    },
  }
}
