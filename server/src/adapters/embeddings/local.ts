import { availableParallelism } from 'node:os'
import { type Embedder, EmbeddingUnavailable, LOCAL_MODEL } from './embedder.js'
import { type ModelThread, type Precision, startModelThread } from './model-thread.js'

export type { Precision }

export const LOCAL_DIMENSIONS = 384
/**
 * The thread gives way to all others, but not entirely, because its priority cannot be raised again when a search waits for
 * it. With both cores of a machine busy, a query takes 0.1 s; at the lowest priority, 19, it takes 0.4 s.
 */
export const THREAD_NICE = 10
/** Nobody waits for a backlog of documents, so its threads use only the time that all others leave. */
export const BACKLOG_NICE = 19
/** This many documents at once are a backlog. */
export const BACKLOG = 32
// Together they use what is left of two cores, and twice the memory. One session with two threads is as slow as with one.
const BACKLOG_THREADS = Math.min(2, availableParallelism())
// Loading the model takes half a second and 70 MB.
const KEEP_BACKLOG_THREAD_MS = 10_000

const nameOf = (precision: Precision) => `${LOCAL_MODEL}-${precision}`

/** The precision of a local model by its name. */
export function localPrecision(model: string): Precision | undefined {
  return (['int8', 'fp16'] as const).find((precision) => nameOf(precision) === model)
}

interface LocalOptions {
  readonly precision?: Precision
  /** How long a backlog thread waits for more work before it ends. */
  readonly keepBacklogThreadMs?: number
}

/**
 * A sentence model on this machine, in a thread of its own. Queries go before documents. A backlog of documents gets
 * threads of its own while there is one. Without `precision` the native runtime is used where it loads, and WebAssembly
 * elsewhere.
 */
export function createLocalEmbedder({
  precision,
  keepBacklogThreadMs = KEEP_BACKLOG_THREAD_MS,
}: LocalOptions = {}): Embedder {
  let loaded: Precision | undefined
  let thread: ModelThread | undefined
  let loading: Promise<void> | undefined
  const backlog = createBacklogThreads(keepBacklogThreadMs)

  function load(): Promise<void> {
    loading ??= start()
    return loading
  }

  function start(): Promise<void> {
    const started = startModelThread({ precision, nice: THREAD_NICE }, () => {
      if (thread === started) loaded = thread = loading = undefined
    })
    thread = started
    const ready = started.ready.then((found) => {
      loaded = found
    })
    ready.catch(() => {})
    return ready
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
      // In WebAssembly the model takes several times the memory, so there is only one.
      if (kind === 'document' && texts.length >= BACKLOG && loaded === 'int8') return backlog.embed(texts)
      if (!thread) throw new EmbeddingUnavailable('The thread of the embedding model ended')
      return thread.embed(texts, kind)
    },
    async readLayers(texts) {
      await load()
      if (texts.length === 0) return []
      return loaded === 'int8' ? thread?.embed(texts, 'layers') : undefined
    },
    async close() {
      await Promise.all([thread?.close(), backlog.close()])
    },
  }
}

interface BacklogThread {
  readonly thread: ModelThread
  inHand: number
  ending?: NodeJS.Timeout
}

/** Threads with the lowest priority that run while there is work for them, and a little longer. */
function createBacklogThreads(keepMs: number) {
  const threads = new Set<BacklogThread>()

  function start(): BacklogThread {
    const thread = startModelThread({ precision: 'int8', nice: BACKLOG_NICE }, () => threads.delete(started))
    const started: BacklogThread = { thread, inHand: 0 }
    threads.add(started)
    return started
  }

  /** One that is idle, then a new one, then the least busy one. */
  function choose(): BacklogThread {
    const [least] = [...threads].sort((a, b) => a.inHand - b.inHand)
    return least && (least.inHand === 0 || threads.size >= BACKLOG_THREADS) ? least : start()
  }

  async function end(ended: BacklogThread): Promise<void> {
    clearTimeout(ended.ending)
    threads.delete(ended)
    await ended.thread.close()
  }

  return {
    close: async () => void (await Promise.all([...threads].map(end))),
    async embed(texts: readonly string[]): Promise<Float32Array[]> {
      const chosen = choose()
      clearTimeout(chosen.ending)
      chosen.inHand++
      try {
        return await chosen.thread.embed(texts, 'document')
      } finally {
        chosen.inHand--
        if (chosen.inHand === 0 && threads.has(chosen))
          chosen.ending = setTimeout(() => void end(chosen), keepMs).unref()
      }
    },
  }
}
