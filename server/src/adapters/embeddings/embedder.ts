/** Turns texts into vectors that lie close together when the texts mean something similar. */
export interface Embedder {
  /** Names what the vectors were made with: those of different names cannot be compared. Final once it is ready. */
  readonly model: string
  /** Length of the vectors. Final once it is ready. */
  readonly dimensions: number
  /** Resolves when it can embed. Asking for it begins the loading. */
  readonly ready: Promise<void>
  isReady(): boolean
  /** One vector of length 1 for each text, in order. A query is what texts are looked for by. */
  embed(texts: readonly string[], kind: 'query' | 'document'): Promise<Float32Array[]>
  close(): Promise<void>
}

/** Embedders by the name of their model. */
export interface Embedders {
  /** The one that the configuration asks for. */
  readonly configured: Embedder
  /** One that makes vectors like those a former configuration left behind, where that is still possible. */
  find(model: string): Embedder | undefined
  close(): Promise<void>
}

/** No vectors can be had now; later they may. */
export class EmbeddingUnavailable extends Error {
  override readonly name = 'EmbeddingUnavailable'
  readonly retryAfterSeconds: number

  constructor(message: string, { retryAfterSeconds = 5, cause }: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** These texts will not be embedded, however often they are sent. */
export class EmbeddingRefused extends Error {
  override readonly name = 'EmbeddingRefused'
}

/** Opens embedders on demand, one for each model. */
export function createEmbedders(configured: Embedder, open: (model: string) => Embedder | undefined): Embedders {
  const others = new Map<string, Embedder | undefined>()
  return {
    configured,
    find(model) {
      // Also while it loads: a second one of the same model would stay for good.
      if (configured.model === model) return configured
      if (!others.has(model)) others.set(model, open(model))
      return others.get(model)
    },
    async close() {
      await Promise.all([configured, ...others.values()].map((embedder) => embedder?.close()))
    },
  }
}

/** Scales a vector to length 1, in place. */
export function normalise(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0))
  if (!(length > 0) || !Number.isFinite(length)) throw new EmbeddingUnavailable('A vector has no direction')
  for (let index = 0; index < vector.length; index++) vector[index] = (vector[index] ?? 0) / length
  return vector
}
