import { LRUCache } from 'lru-cache'
import { EmbeddingRefused, EmbeddingUnavailable } from '../../adapters/embeddings/embedder.js'
import { Problem } from '../../base/problem.js'
import type { Models, Serving } from './models.js'
import { vectorLiteral } from './vectors.js'

const MAX_CACHED = 500

/** Embeds queries, and caches their vectors. */
export function createQueryEmbedder(): (serving: Serving, query: string) => Promise<string> {
  const cache = new LRUCache<string, string>({ max: MAX_CACHED })
  return async ({ model, embedder }, query) => {
    const key = `${model.id} ${query}`
    const cached = cache.get(key)
    if (cached) return cached
    const [vector] = await embedder.embed([query], 'query').catch((error: unknown) => {
      throw toProblem(error)
    })
    if (!vector) throw notReady()
    const literal = vectorLiteral(vector)
    cache.set(key, literal)
    return literal
  }
}

/** The vector of a query, and the model that made it. */
export interface Meaning {
  readonly serving: Serving
  readonly vector: string
}

/** Embeds a query, or returns undefined while that is not possible: then names and words still find something. */
export function createMeaningFinder(searchModels: Models): (query: string) => Promise<Meaning | undefined> {
  const embed = createQueryEmbedder()
  return async (query) => {
    const serving = await searchModels.findServing()
    if (!serving) return undefined
    const vector = await embed(serving, query).catch(() => undefined)
    return vector === undefined ? undefined : { serving, vector }
  }
}

/** No model is ready to embed a query. */
export function notReady(retryAfterSeconds = 2): Problem {
  return new Problem('NOT_READY', { retryAfterSeconds })
}

function toProblem(error: unknown): unknown {
  if (error instanceof EmbeddingUnavailable) return notReady(error.retryAfterSeconds)
  return error instanceof EmbeddingRefused ? Problem.at('q', 'cannot be searched for') : error
}
