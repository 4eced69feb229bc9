import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { type Collection, collections } from './collections.js'
import { embedAndStore } from './embed.js'
import { activateModel, listModels, type Serving } from './models.js'
import { type Model, tableOf } from './vectors.js'

const BATCH_SIZE = 32
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
// For up to this long, another process may have embedded texts without the new model.
const MAX_DELAY_MS = 60_000

export interface RebuildOptions {
  /** Whether to stop after the current step; a later call continues from there. */
  readonly stopping: () => boolean
  readonly onStep?: () => Promise<void>
}

type RebuildDeps = Pick<Deps, 'db' | 'database' | 'clock' | 'queue'>

/**
 * Embeds all texts with a model, newest first, from where it last stopped, and then activates the model. Returns false
 * if it was stopped.
 */
export async function rebuild(
  deps: RebuildDeps,
  serving: Serving,
  { stopping, onStep }: RebuildOptions,
): Promise<boolean> {
  for (const collection of collections) {
    while (await takeStep(deps, serving, collection)) {
      await onStep?.()
      if (stopping()) return false
    }
  }
  for (const collection of collections) {
    await embedMissing(deps, serving, collection)
    await deps.db.run(sql`analyze ${tableOf(serving.model, collection)}`)
  }
  await activateModel(deps, serving.model.id)
  return true
}

/** Returns false if there is nothing left to embed. */
async function takeStep(deps: RebuildDeps, serving: Serving, collection: Collection): Promise<boolean> {
  const { db, clock } = deps
  const isOwnRow = sql`model_id = ${serving.model.id} and collection = ${collection.table}`
  const progress = await db.find<Row<'embedding_progress', 'before'>>(
    sql`select before from embedding_progress where ${isOwnRow} and finished_at is null`,
  )
  if (!progress) return false
  const texts = await collection.read(db, serving.model, { before: progress.before, limit: BATCH_SIZE })
  await embedAndStore(deps, serving, collection, texts)
  const last = texts.at(-1)
  await db.run(
    last
      ? sql`update embedding_progress set before = ${last.id}, done = done + ${texts.length}
          where ${isOwnRow} and before > ${last.id}`
      : sql`update embedding_progress set finished_at = ${clock.now()} where ${isOwnRow}`,
  )
  return true
}

async function embedMissing(deps: RebuildDeps, serving: Serving, collection: Collection): Promise<void> {
  const since = new Date(serving.model.created_at.getTime() - MAX_DELAY_MS)
  for (let before = LAST_ID; ; ) {
    const texts = await collection.read(deps.db, serving.model, { before, limit: BATCH_SIZE, missingSince: since })
    const last = texts.at(-1)
    if (!last) return
    await embedAndStore(deps, serving, collection, texts)
    before = last.id
  }
}

/** Counts the texts that a model has re-embedded. */
export async function countDone(db: Db, { id }: Pick<Model, 'id'>): Promise<number> {
  const { done } = await db.one<{ done: number }>(
    sql`select coalesce(sum(done), 0)::int as done from embedding_progress where model_id = ${id}`,
  )
  return done
}

/** Counts the texts to embed. */
export async function countTexts(db: Db): Promise<number> {
  let total = 0
  for (const collection of collections) total += await collection.count(db)
  return total
}

/** Counts the texts that the model in state `building` has re-embedded; 0 if there is no such model. */
export async function countReembedded(db: Db): Promise<number> {
  const building = (await listModels(db)).find(({ state }) => state === 'building')
  return building ? countDone(db, building) : 0
}
