/** Turns texts into vectors that are close together when the texts mean something similar. */
export interface Embedder {
  /** Identifies the model: vectors of different models cannot be compared. Final once it is ready. */
  readonly model: string
  /** Length of the vectors. Final once it is ready. */
  readonly dimensions: number
  /** Resolves when it can embed. Reading this property starts the loading. */
  readonly ready: Promise<void>
  isReady(): boolean
  /** Returns one vector of length 1 for each text, in order. A `query` is a search text. */
  embed(texts: readonly string[], kind: 'query' | 'document'): Promise<Float32Array[]>
  /**
   * Returns for each text the means of all layers of the model, one after the other: lower ones know more about what a text
   * wants than the last, which is made to tell topics apart. Only the local model in the native runtime has them.
   */
  readLayers?(texts: readonly string[]): Promise<Float32Array[] | undefined>
  /** How often the service that embeds has failed, and why it did the last time; undefined once it works again. */
  failures?(): { readonly count: number; readonly latest: string | undefined }
  close(): Promise<void>
}

/** How the names of the model on this machine begin; its precision follows. Vectors of all precisions are nearly the same. */
export const LOCAL_MODEL = 'local/all-MiniLM-L6-v2'

/** Embedders by the name of their model. */
export interface Embedders {
  /** The configured embedder. */
  readonly configured: Embedder
  /** Finds the embedder for a model of an earlier configuration, if it can still be used. */
  find(model: string): Embedder | undefined
  close(): Promise<void>
}

/** Embedding is not possible now, but may be later. */
export class EmbeddingUnavailable extends Error {
  override readonly name = 'EmbeddingUnavailable'
  readonly retryAfterSeconds: number

  constructor(message: string, { retryAfterSeconds = 5, cause }: { retryAfterSeconds?: number; cause?: unknown } = {}) {
    super(message, { cause })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** The texts were refused for good; sending them again does not help. */
export class EmbeddingRefused extends Error {
  override readonly name = 'EmbeddingRefused'
}

/** Opens embedders on demand, one per model. */
export function createEmbedders(configured: Embedder, open: (model: string) => Embedder | undefined): Embedders {
  const others = new Map<string, Embedder | undefined>()
  return {
    configured,
    find(model) {
      // Also while it loads: a second embedder of the same model would never be closed.
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
