import sql from 'sql-template-tag'
import { EmbeddingRefused } from '../adapters/embeddings/embedder.js'
import type { Db } from '../db/db.js'
import { type Collection, collections, type Text } from './collections.js'
import type { Serving } from './models.js'

const BATCH = 32

/** Embeds texts by id, as far as they have no vector of the model yet. */
export async function embedTexts(
  db: Db,
  serving: Serving,
  collection: Collection,
  ids: readonly string[],
): Promise<void> {
  const texts = await collection.read(db, serving.model, ids)
  await embedAndStore(db, serving, collection, texts)
}

async function embedAndStore(
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

/** How far all texts have been embedded anew. */
export interface Progress {
  readonly done: number
  readonly total: number
}

/** Takes the next step of embedding everything anew. Returns false when nothing is left. */
export async function reembedStep(db: Db, serving: Serving, now: Date): Promise<boolean> {
  const { id } = serving.model
  for (const collection of collections) {
    const { table } = collection
    const progress = await db.find<{ before: string }>(sql`
      select before from embedding_progress
      where model_id = ${id} and collection = ${table} and finished_at is null`)
    if (!progress) continue
    const texts = await collection.read(db, serving.model, { before: progress.before, limit: BATCH })
    await embedAndStore(db, serving, collection, texts)
    const last = texts.at(-1)
    await db.run(
      last
        ? sql`update embedding_progress set before = least(before, ${last.id}::uuid), done = done + ${texts.length}
            where model_id = ${id} and collection = ${table} and before > ${last.id}`
        : sql`update embedding_progress set finished_at = ${now} where model_id = ${id} and collection = ${table}`,
    )
    return true
  }
  return false
}

export async function getProgress(db: Db, modelId: number): Promise<Progress> {
  const { done } = await db.one<{ done: number }>(sql`
    select coalesce(sum(done), 0)::int as done from embedding_progress where model_id = ${modelId}`)
  let total = 0
  for (const collection of collections) total += await collection.count(db)
  return { done: Math.min(done, total), total }
}
