import { EmbeddingRefused } from '../../adapters/embeddings/embedder.js'
import type { Deps } from '../../deps.js'
import type { Collection, Text } from './collections.js'
import type { Serving } from './models.js'

type EmbedDeps = Pick<Deps, 'db' | 'database'>

interface EmbedOptions {
  /** Waits for the model without occupying the worker; the model itself gives priority to requests. */
  aside?<T>(waiting: Promise<T>): Promise<T>
}

/** Embeds the texts with these ids that have no vector of the model yet. */
export async function embedTexts(
  deps: EmbedDeps,
  serving: Serving,
  collection: Collection,
  ids: readonly string[],
  options?: EmbedOptions,
): Promise<void> {
  await embedAndStore(deps, serving, collection, await collection.read(deps.db, serving.model, ids), options)
}

/** How many vectors one statement stores. Each takes milliseconds, during which the embedded engine blocks all other work. */
const CHUNK_SIZE = { postgres: 32, embedded: 8 }

export async function embedAndStore(
  { db, database }: EmbedDeps,
  { model, embedder }: Serving,
  collection: Collection,
  texts: readonly Text[],
  { aside = (waiting) => waiting }: EmbedOptions = {},
): Promise<void> {
  const vectors = await aside(embedAll(embedder, texts))
  const embedded = texts.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : []))
  for (const chunk of splitIntoChunks(embedded, CHUNK_SIZE[database.engine]))
    await collection.store(
      db,
      model,
      chunk.map(({ text }) => text),
      chunk.map(({ vector }) => vector),
    )
}

function splitIntoChunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  )
}

// Splits the set until a refused text is alone: the others are embedded, and it can still be found by its words.
async function embedAll(embedder: Serving['embedder'], texts: readonly Text[]): Promise<(Float32Array | undefined)[]> {
  try {
    return await embedder.embed(texts.map(collapseSpaces), 'document')
  } catch (error) {
    if (!(error instanceof EmbeddingRefused)) throw error
    if (texts.length === 1) return [undefined]
    const half = Math.ceil(texts.length / 2)
    return [...(await embedAll(embedder, texts.slice(0, half))), ...(await embedAll(embedder, texts.slice(half)))]
  }
}

function collapseSpaces({ text }: Text): string {
  return text.replace(/\s+/g, ' ').trim()
}
