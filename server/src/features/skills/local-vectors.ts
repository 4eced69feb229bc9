import type { Embed } from '@rookery/skill-scan'
import { type Embedders, LOCAL_MODEL } from '../../adapters/embeddings/embedder.js'

// Fewer than a backlog, whose thread has the lowest priority: a publisher waits. Queries of searchers go before them.
const TEXTS_AT_ONCE = 16

/** Reads with the local model, whichever one searches use: the scan has learnt from its layers alone. */
export function createLocalVectors(embedders: Embedders): Embed {
  return async (texts) => {
    const { configured } = embedders
    const local = configured.model.startsWith(LOCAL_MODEL) ? configured : embedders.find(`${LOCAL_MODEL}-int8`)
    const vectors: Float32Array[] = []
    for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
      const read = await local?.readLayers?.(texts.slice(from, from + TEXTS_AT_ONCE))
      if (!read) return undefined
      vectors.push(...read)
    }
    return vectors
  }
}
