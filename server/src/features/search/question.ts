import { LRUCache } from 'lru-cache'
import { EmbeddingRefused, EmbeddingUnavailable } from '../../adapters/embeddings/embedder.js'
import { Problem } from '../../base/problem.js'
import type { Models, Serving } from './models.js'
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

/** What is looked for as a vector, and what it was made with. */
export interface Meaning {
  readonly serving: Serving
  readonly vector: string
}

/** Embeds what is looked for, if that can be done now: names are found even while nothing can be said about meanings. */
export function createMeanings(searchModels: Models): (query: string) => Promise<Meaning | undefined> {
  const embed = createQuestions()
  return async (query) => {
    const serving = await searchModels.findServing()
    if (!serving) return undefined
    const vector = await embed(serving, query).catch(() => undefined)
    return vector === undefined ? undefined : { serving, vector }
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
