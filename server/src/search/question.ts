import { LRUCache } from 'lru-cache'
import { EmbeddingRefused, EmbeddingUnavailable } from '../adapters/embeddings/embedder.js'
import { Problem } from '../problem.js'
import type { Serving } from './models.js'
import { vectorLiteral } from './vectors.js'

const MOST_KEPT = 500

/** Embeds what is looked for. The same question is embedded once. */
export function createQuestions(): (serving: Serving, query: string) => Promise<string> {
  const kept = new LRUCache<string, string>({ max: MOST_KEPT })
  return async ({ model, embedder }, query) => {
    const key = `${model.id} ${query}`
    const known = kept.get(key)
    if (known) return known
    const [vector] = await embedder.embed([query], 'query').catch((error: unknown) => {
      throw asProblem(error)
    })
    if (!vector) throw notReady()
    const literal = vectorLiteral(vector)
    kept.set(key, literal)
    return literal
  }
}

/** Nothing here can embed a query now. */
export function notReady(retryAfterSeconds = 2): Problem {
  return new Problem('NOT_READY', { retryAfterSeconds })
}

function asProblem(error: unknown): unknown {
  if (error instanceof EmbeddingUnavailable) return notReady(error.retryAfterSeconds)
  return error instanceof EmbeddingRefused ? Problem.at('q', 'cannot be searched for') : error
}
