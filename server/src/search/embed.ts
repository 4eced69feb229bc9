import { EmbeddingRefused } from '../adapters/embeddings/embedder.js'
import type { Db } from '../db/db.js'
import type { Collection, Text } from './collections.js'
import type { Serving } from './models.js'

/** Embeds texts by id, as far as they have no vector of the model yet. */
export async function embedTexts(
  db: Db,
  serving: Serving,
  collection: Collection,
  ids: readonly string[],
): Promise<void> {
  await embedAndStore(db, serving, collection, await collection.read(db, serving.model, ids))
}

/** Embeds texts and keeps their vectors. */
export async function embedAndStore(
  db: Db,
  { model, embedder }: Serving,
  collection: Collection,
  texts: readonly Text[],
): Promise<void> {
  if (texts.length === 0) return
  const vectors = await embedAll(embedder, texts)
  const embedded = texts.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : []))
  await collection.store(
    db,
    model,
    embedded.map(({ text }) => text),
    embedded.map(({ vector }) => vector),
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
