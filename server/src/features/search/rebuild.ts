import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { type Collection, collections } from './collections.js'
import { embedAndStore } from './embed.js'
import { activateModel, listModels, type Serving } from './models.js'
import { type Model, tableOf } from './vectors.js'

const BATCH = 32
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
// A process may have learnt late that a new model wants every text.
const LEARNT_LATE_MS = 60_000

/** What goes on beside the work. */
export interface RebuildOptions {
  /** True when it has to end here; it goes on from here another time. */
  readonly stopping: () => boolean
  /** Called after every step. */
  readonly onStep?: () => Promise<void>
}

type RebuildDeps = Pick<Deps, 'db' | 'database' | 'clock' | 'queue'>

/**
 * Embeds all texts with a model, from the newest to the oldest and from where it was stopped, then lets it answer.
 * Returns false when it was stopped.
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
    await embedLate(deps, serving, collection)
    await deps.db.run(sql`analyze ${tableOf(serving.model, collection)}`)
  }
  await activateModel(deps, serving.model.id)
  return true
}

/** Returns false when nothing is left. */
async function takeStep(deps: RebuildDeps, serving: Serving, collection: Collection): Promise<boolean> {
  const { db, clock } = deps
  const mine = sql`model_id = ${serving.model.id} and collection = ${collection.table}`
  const progress = await db.find<Row<'embedding_progress', 'before'>>(
    sql`select before from embedding_progress where ${mine} and finished_at is null`,
  )
  if (!progress) return false
  const texts = await collection.read(db, serving.model, { before: progress.before, limit: BATCH })
  await embedAndStore(deps, serving, collection, texts)
  const last = texts.at(-1)
  await db.run(
    last
      ? sql`update embedding_progress set before = ${last.id}, done = done + ${texts.length}
          where ${mine} and before > ${last.id}`
      : sql`update embedding_progress set finished_at = ${clock.now()} where ${mine}`,
  )
  return true
}

async function embedLate(deps: RebuildDeps, serving: Serving, collection: Collection): Promise<void> {
  const since = new Date(serving.model.created_at.getTime() - LEARNT_LATE_MS)
  for (let before = LAST_ID; ; ) {
    const texts = await collection.read(deps.db, serving.model, { before, limit: BATCH, missingSince: since })
    const last = texts.at(-1)
    if (!last) return
    await embedAndStore(deps, serving, collection, texts)
    before = last.id
  }
}

/** How many texts a model has embedded anew. */
export async function countDone(db: Db, { id }: Pick<Model, 'id'>): Promise<number> {
  const { done } = await db.one<{ done: number }>(
    sql`select coalesce(sum(done), 0)::int as done from embedding_progress where model_id = ${id}`,
  )
  return done
}

/** How many texts there are to embed. */
export async function countTexts(db: Db): Promise<number> {
  let total = 0
  for (const collection of collections) total += await collection.count(db)
  return total
}

/** How far the model has come that is to answer next; 0 when there is none. */
export async function countReembedded(db: Db): Promise<number> {
  const building = (await listModels(db)).find(({ state }) => state === 'building')
  return building ? countDone(db, building) : 0
}
