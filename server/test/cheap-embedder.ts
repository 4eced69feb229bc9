import { createHash } from 'node:crypto'
import { createEmbedders, type Embedder, type Embedders, normalise } from '../src/adapters/embeddings/embedder.js'

/** An embedder without a model: only texts with words in common are close to each other. */
export function createCheapEmbedder({ model = 'cheap', dimensions = 64 } = {}): Embedder {
  function embedOne(text: string): Float32Array {
    const vector = new Float32Array(dimensions)
    for (const word of text.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? ['']) {
      const hash = createHash('sha1').update(`${model} ${word}`).digest()
      const place = hash.readUInt32BE(0) % dimensions
      vector[place] = (vector[place] ?? 0) + 1
    }
    return normalise(vector)
  }
  return {
    model,
    dimensions,
    ready: Promise.resolve(),
    isReady: () => true,
    embed: async (texts) => texts.map(embedOne),
    close: async () => {},
  }
}

/** Creates embedders of which the first is the configured one. */
export function embeddersOf(configured: Embedder, ...others: Embedder[]): Embedders {
  return createEmbedders(configured, (model) => others.find((other) => other.model === model))
}
