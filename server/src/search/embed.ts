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

/** How many texts the embedder is given at a time. */
const SLICE = 32
/** How many vectors one statement stores. Each takes milliseconds, in which the embedded engine serves nobody else. */
const MOST_STORED = 8

/** Embeds texts and keeps their vectors: those of one slice while the next is embedded. */
export async function embedAndStore(
  db: Db,
  { model, embedder }: Serving,
  collection: Collection,
  texts: readonly Text[],
): Promise<void> {
  // Texts beside each other are filled up to the same length, so that those of about the same length cost the least.
  const byLength = [...texts].sort((a, b) => a.text.length - b.text.length)
  let storing = Promise.resolve()
  for (const slice of slicesOf(byLength, SLICE)) {
    const vectors = await embedAll(embedder, slice)
    await storing
    storing = store(slice.flatMap((text, index) => (vectors[index] ? [{ text, vector: vectors[index] }] : [])))
    storing.catch(() => {})
  }
  await storing

  async function store(embedded: readonly { text: Text; vector: Float32Array }[]): Promise<void> {
    for (const some of slicesOf(embedded, MOST_STORED))
      await collection.store(
        db,
        model,
        some.map(({ text }) => text),
        some.map(({ vector }) => vector),
      )
  }
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
