import { EmbeddingRefused } from '../../adapters/embeddings/embedder.js'
import type { Deps } from '../../deps.js'
import type { Collection, Text } from './collections.js'
import type { Serving } from './models.js'

type EmbedDeps = Pick<Deps, 'db' | 'database'>

interface EmbedOptions {
  /** Waits for the model, which gives way to requests by itself. */
  aside?<T>(waiting: Promise<T>): Promise<T>
}

/** Embeds texts by id, as far as they have no vector of the model yet. */
export async function embedTexts(
  deps: EmbedDeps,
  serving: Serving,
  collection: Collection,
  ids: readonly string[],
  options?: EmbedOptions,
): Promise<void> {
  await embedAndStore(deps, serving, collection, await collection.read(deps.db, serving.model, ids), options)
}

/** How many vectors one statement stores. Each takes milliseconds, in which the embedded engine serves nobody else. */
const MOST_STORED = { postgres: 32, embedded: 8 }

export async function embedAndStore(
  { db, database }: EmbedDeps,
  { model, embedder }: Serving,
  collection: Collection,
  texts: readonly Text[],
  { aside = (waiting) => waiting }: EmbedOptions = {},
): Promise<void> {
  const vectors = await aside(embedAll(embedder, texts))
  const embedded = texts.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : []))
  for (const some of slicesOf(embedded, MOST_STORED[database.engine]))
    await collection.store(
      db,
      model,
      some.map(({ text }) => text),
      some.map(({ vector }) => vector),
    )
}

function slicesOf<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

// A text that is refused does not keep those beside it from being embedded; it can still be found by its words.
async function embedAll(embedder: Serving['embedder'], texts: readonly Text[]): Promise<(Float32Array | undefined)[]> {
  try {
    return await embedder.embed(texts.map(spoken), 'document')
  } catch (error) {
    if (!(error instanceof EmbeddingRefused)) throw error
    if (texts.length === 1) return [undefined]
    const half = Math.ceil(texts.length / 2)
    return [...(await embedAll(embedder, texts.slice(0, half))), ...(await embedAll(embedder, texts.slice(half)))]
  }
}

function spoken({ text }: Text): string {
  return text.replace(/\s+/g, ' ').trim()
}
