import type { Worker } from 'node:worker_threads'
import { startThread } from '../../thread.js'
import { type Embedder, EmbeddingUnavailable } from './embedder.js'

/** How exactly the weights are kept, which decides the runtime: `int8` runs natively, `fp16` in WebAssembly. */
export type Precision = 'int8' | 'fp16'

export const LOCAL_DIMENSIONS = 384
/**
 * The thread gives way to all others, but not entirely: it cannot take back what it gave when a search waits for it. With
 * both cores of a machine taken, a query takes 0.1 s; at the lowest priority, 19, it takes 0.4 s.
 */
export const THREAD_NICE = 10
const nameOf = (precision: Precision) => `local/all-MiniLM-L6-v2-${precision}`

/** The precision of a local model by its name. */
export function localPrecision(model: string): Precision | undefined {
  return (['int8', 'fp16'] as const).find((precision) => nameOf(precision) === model)
}

/** What the thread says. */
export type FromThread =
  | { readonly ready: Precision }
  | { readonly failed: string }
  | { readonly vectors: Float32Array }
  | { readonly error: string }

/** What the thread is told. */
export type ToThread = { readonly texts: readonly string[] } | 'close'

// Small enough that a query waits only a few hundredths of a second for the documents before it: the time goes with the
// number of texts and the length of the longest.
const MOST_TEXTS = 4
const MOST_CHARACTERS = 400
// The thread makes little garbage; by default twice as much is kept for it.
const YOUNG_MB = 8

interface Request {
  readonly texts: readonly string[]
  readonly vectors: Float32Array[]
  resolve(vectors: Float32Array[]): void
  reject(error: Error): void
}

/**
 * A sentence model on this machine, in a thread of its own. Queries go before documents. Without `precision` the native
 * runtime is used where it loads, and WebAssembly elsewhere.
 */
export function createLocalEmbedder({ precision }: { precision?: Precision } = {}): Embedder {
  let loaded: Precision | undefined
  let thread: Worker | undefined
  let loading: Promise<void> | undefined
  let inHand: Request | undefined
  const queues: Record<'query' | 'document', Request[]> = { query: [], document: [] }

  function load(): Promise<void> {
    loading ??= new Promise<void>((resolve, reject) => {
      const started = startThread(
        './local-thread.js',
        import.meta.url,
        { precision },
        { maxYoungGenerationSizeMb: YOUNG_MB },
      )
      thread = started
      started.on('message', (said: FromThread) => {
        if ('ready' in said) {
          loaded = said.ready
          resolve()
          next()
        } else if ('failed' in said) end(new EmbeddingUnavailable(said.failed))
        else answer(said)
      })
      started.once('error', end)
      started.once('exit', () => end(new EmbeddingUnavailable('The thread of the embedding model ended')))

      function end(error: Error): void {
        reject(error)
        if (thread !== started) return
        loaded = thread = loading = undefined
        const waiting = [...(inHand ? [inHand] : []), ...queues.query.splice(0), ...queues.document.splice(0)]
        inHand = undefined
        for (const request of waiting) request.reject(new EmbeddingUnavailable(error.message, { cause: error }))
        void started.terminate()
      }
    })
    loading.catch(() => {})
    return loading
  }

  function next(): void {
    if (inHand || !loaded) return
    inHand = queues.query[0] ?? queues.document[0]
    if (!inHand) return
    thread?.postMessage({ texts: nextTexts(inHand) } satisfies ToThread)
  }

  function answer(said: Exclude<FromThread, { ready: Precision } | { failed: string }>): void {
    const request = inHand
    if (!request) return
    inHand = undefined
    if ('vectors' in said)
      for (let start = 0; start < said.vectors.length; start += LOCAL_DIMENSIONS)
        request.vectors.push(said.vectors.slice(start, start + LOCAL_DIMENSIONS))
    const isDone = 'error' in said || request.vectors.length >= request.texts.length
    if (isDone) for (const queue of Object.values(queues)) if (queue[0] === request) queue.shift()
    if ('error' in said) request.reject(new EmbeddingUnavailable(said.error))
    else if (isDone) request.resolve(request.vectors)
    next()
  }

  return {
    get model() {
      return nameOf(loaded ?? precision ?? 'int8')
    },
    dimensions: LOCAL_DIMENSIONS,
    get ready() {
      return load()
    },
    isReady: () => loaded !== undefined,
    async embed(texts, kind) {
      await load()
      if (texts.length === 0) return []
      return new Promise((resolve, reject) => {
        queues[kind].push({ texts, vectors: [], resolve, reject })
        next()
      })
    },
    async close() {
      const closing = thread
      if (!closing) return
      const ended = new Promise((resolve) => closing.once('exit', resolve))
      closing.postMessage('close' satisfies ToThread)
      await ended
    },
  }
}

function nextTexts({ texts, vectors }: Request): string[] {
  const rest = texts.slice(vectors.length, vectors.length + MOST_TEXTS)
  let longest = 0
  const end = rest.findIndex((text, index) => {
    longest = Math.max(longest, text.length)
    return index > 0 && longest * (index + 1) > MOST_CHARACTERS
  })
  return end === -1 ? rest : rest.slice(0, end)
}
