import { LRUCache } from 'lru-cache'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from '../../adapters/embeddings/embedder.js'
import { Problem } from '../../base/problem.js'
import type { Models, Serving } from './models.js'
import { measureFloor } from './nonsense.js'
import { vectorLiteral } from './vectors.js'

const MAX_CACHED = 500

/** A query as its model understands it. */
export interface QueryVector {
  /** For pgvector. */
  readonly literal: string
  /** The similarity under which a text is no nearer to the query than nonsense. */
  readonly floor: number
}

/** Embeds queries, and caches their vectors. */
export function createQueryEmbedder(): (serving: Serving, query: string) => Promise<QueryVector> {
  const cache = new LRUCache<string, QueryVector>({ max: MAX_CACHED })
  return async ({ model, embedder }, query) => {
    const key = `${model.id} ${query}`
    const cached = cache.get(key)
    if (cached) return cached
    const found = await embedQuery(embedder, query).catch((error: unknown) => {
      throw toProblem(error)
    })
    cache.set(key, found)
    return found
  }
}

async function embedQuery(embedder: Embedder, query: string): Promise<QueryVector> {
  const [vector] = await embedder.embed([query], 'query')
  if (!vector) throw notReady()
  return { literal: vectorLiteral(vector), floor: await measureFloor(embedder, vector) }
}

/** The vector of a query, and the model that made it. */
export interface Meaning {
  readonly serving: Serving
  readonly vector: string
  readonly floor: number
}

/** Embeds a query, or returns undefined while that is not possible: then names and words still find something. */
export function createMeaningFinder(searchModels: Models): (query: string) => Promise<Meaning | undefined> {
  const embed = createQueryEmbedder()
  return async (query) => {
    const serving = await searchModels.findServing()
    if (!serving) return undefined
    const found = await embed(serving, query).catch(() => undefined)
    return found && { serving, vector: found.literal, floor: found.floor }
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
