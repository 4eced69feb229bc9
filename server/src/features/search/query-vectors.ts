import { LRUCache } from 'lru-cache'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from '../../adapters/embeddings/embedder.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { countCache } from '../../foundation/cache-counts.js'
import { isStranger, type Viewer } from '../../foundation/db/visibility.js'
import { countSharedCost } from '../../foundation/limits.js'
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

type EmbedDeps = Pick<Deps, 'limiter' | 'clock' | 'config'>
export type SearchDeps = EmbedDeps & Pick<Deps, 'db'>

/** Embeds queries, and caches their vectors. New ones of strangers count against what all of those may cost together. */
export function createQueryEmbedder(
  deps: EmbedDeps,
): (serving: Serving, query: string, viewer: Viewer | undefined) => Promise<QueryVector> {
  const cache = new LRUCache<string, QueryVector>({ max: MAX_CACHED })
  const underway = new Map<string, Promise<QueryVector>>()
  const counted = countCache('queries', () => cache.size)
  return async ({ model, embedder }, query, viewer) => {
    const key = `${model.id} ${query}`
    const cached = cache.get(key)
    counted.note(cached !== undefined)
    if (cached) return cached
    if (isStranger(viewer)) await countSharedCost(deps, 'new searches')
    const waiting = underway.get(key) ?? embedQuery(embedder, query).finally(() => underway.delete(key))
    underway.set(key, waiting)
    const found = await waiting.catch((error: unknown) => {
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
export function createMeaningFinder(
  deps: EmbedDeps,
  searchModels: Models,
): (query: string, viewer: Viewer | undefined) => Promise<Meaning | undefined> {
  const embed = createQueryEmbedder(deps)
  return async (query, viewer) => {
    const serving = await searchModels.findServing()
    if (!serving) return undefined
    const found = await embed(serving, query, viewer).catch((error: unknown) => {
      if (error instanceof Problem && error.code === 'RATE_LIMITED') throw error
      return undefined
    })
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
