import sql, { raw, type Sql } from 'sql-template-tag'
import type { Embedder, Embedders } from '../../adapters/embeddings/embedder.js'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import type { Queue } from '../../foundation/jobs/queue.js'
import { collections } from './collections.js'
import { measureNoise } from './noise.js'
import { type Model, tableOf, vectorType } from './vectors.js'

/** A model together with what embeds by it. */
export interface Serving {
  readonly model: Model
  readonly embedder: Embedder
}

/** Which models there are, and which of them this process can work with. */
export interface Models {
  /** Makes the configured model the one that answers: at once when there is none, else after all is embedded anew. */
  adopt(): Promise<void>
  /** The model that answers searches; none while nothing that could embed a query is ready. */
  findServing(): Promise<Serving | undefined>
  /** The models that every new text is embedded with; none while the configured one loads. */
  listWanted(): Promise<Serving[]>
  /** What embeds by a model, if that is ready here. */
  serve(model: Model): Serving | undefined
  /** The model whose vectors answer, with or without something that embeds by it. */
  findActive(): Promise<Model | undefined>
}

interface ModelDeps {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Queue
  readonly embedders: Embedders
}

const KNOWN_FOR_MS = 1_000
const OLD_READY_WITHIN_MS = 10_000
// Long enough for every process to have seen that another model answers now.
const DROP_AFTER_MS = 10 * 60_000
// Any number will do, as long as nothing else in the database locks it.
const LOCK = 727_665_380

export function createModels(deps: ModelDeps): Models {
  const { db, clock, embedders } = deps
  let known: { models: Model[]; until: number } | undefined
  let adopted = false
  let adopting: Promise<void> | undefined

  async function list(): Promise<Model[]> {
    const now = clock.now().getTime()
    if (known && known.until > now) return known.models
    const models = await listModels(db)
    known = { models, until: now + KNOWN_FOR_MS }
    return models
  }

  function serve(model: Model): Serving | undefined {
    const embedder = embedders.find(model.name)
    void embedder?.ready.catch(() => {})
    return embedder?.isReady() && embedder.dimensions === model.dimensions ? { model, embedder } : undefined
  }

  async function adoptNow(): Promise<void> {
    const { configured } = embedders
    await configured.ready
    const before = (await listModels(db)).find(({ state }) => state === 'active')
    const isNew = !before || !isModelOf(configured, before)
    // While the old vectors answer, new texts have to join them.
    const keepsOld = isNew && before !== undefined && (await becomesReady(embedders.find(before.name)))
    const noise = isNew ? await measureNoise(configured) : { noise: 0, spread: 0 }
    await adoptModel(deps, configured, { ...noise, keepsOld })
    known = undefined
    adopted = true
  }

  function adopt(): Promise<void> {
    if (adopted) return Promise.resolve()
    adopting ??= adoptNow().finally(() => {
      adopting = undefined
    })
    return adopting
  }

  return {
    adopt,
    async findServing() {
      const models = await list()
      const active = models.find(({ state }) => state === 'active')
      if (active && embedders.find(active.name)) return serve(active)
      // Started with another configuration than the one that made the active vectors: its own may still be there.
      return models.flatMap((model) => serve(model) ?? [])[0]
    },
    async listWanted() {
      if (!adopted && !embedders.configured.isReady()) {
        void embedders.configured.ready.catch(() => {})
        return []
      }
      await adopt()
      return (await list()).flatMap((model) => (model.state === 'retired' ? [] : (serve(model) ?? [])))
    },
    serve,
    findActive: async () => (await list()).find(({ state }) => state === 'active'),
  }
}

const isModelOf = ({ model, dimensions }: Embedder, it: Model) => it.name === model && it.dimensions === dimensions

async function becomesReady(embedder: Embedder | undefined): Promise<boolean> {
  if (!embedder) return false
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, OLD_READY_WITHIN_MS)
  })
  await Promise.race([embedder.ready.catch(() => {}), late])
  clearTimeout(timer)
  return embedder.isReady()
}

const modelColumns = sql`id, name, dimensions, noise, spread, state, created_at`

export function listModels(db: Db): Promise<Model[]> {
  return db.many<Model>(sql`select ${modelColumns} from embedding_model order by id desc`)
}

interface Adoption {
  readonly noise: number
  readonly spread: number
  /** Whether the vectors of the active model can answer until the new ones are complete. */
  readonly keepsOld: boolean
}

function adoptModel(deps: ModelDeps, configured: Embedder, adoption: Adoption): Promise<void> {
  return deps.db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    const models = await listModels(db)
    const active = models.find(({ state }) => state === 'active')
    let building = models.find(({ state }) => state === 'building')
    if (building && !isModelOf(configured, building)) {
      await retire(db, deps, building)
      building = undefined
    }
    if (active && isModelOf(configured, active)) {
      await resume(db, deps, active)
      if (building) await resume(db, deps, building)
      return
    }
    if (active && !adoption.keepsOld) await retire(db, deps, active)
    const isAlone = !active || !adoption.keepsOld
    const model = building ?? (await insertModel(db, deps.clock, configured, adoption))
    if (isAlone) await db.run(sql`update embedding_model set state = 'active' where id = ${model.id}`)
    await resume(db, deps, model)
  })
}

/** The configured model on its way to embedding everything anew, even if it is the one that answers now. */
export async function beginRebuild(deps: ModelDeps, configured: Embedder): Promise<Model> {
  const noise = await measureNoise(configured)
  return deps.db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    const building = (await listModels(db)).find(({ state }) => state === 'building')
    if (building && isModelOf(configured, building)) return building
    if (building) await retire(db, deps, building)
    return insertModel(db, deps.clock, configured, noise)
  })
}

/** A model that is getting ready, with its tables and indexes. There must be no other. */
async function insertModel(
  db: Db,
  clock: Clock,
  { model: name, dimensions }: Pick<Embedder, 'model' | 'dimensions'>,
  { noise, spread }: Pick<Model, 'noise' | 'spread'>,
): Promise<Model> {
  const model = await db.one<Model>(sql`
    insert into embedding_model (name, dimensions, noise, spread, state, created_at)
    values (${name}, ${dimensions}, ${noise}, ${spread}, 'building', ${clock.now()})
    returning ${modelColumns}`)
  await limitWaiting(db)
  for (const { table, indexes } of collections) {
    await db.run(sql`create table ${raw(`${table}_${model.id} partition of ${table} for values in (${model.id})`)}`)
    for (const condition of indexes) await db.run(vectorIndex(model, table, condition))
    await db.run(sql`insert into embedding_progress (model_id, collection) values (${model.id}, ${table})`)
  }
  return model
}

// A change of tables waits for everyone who uses them, and everyone else waits for it.
async function limitWaiting(db: Db): Promise<void> {
  await db.run(sql`set local lock_timeout = '5s'`)
}

function vectorIndex(model: Model, table: string, condition: string): Sql {
  const type = vectorType(model)
  if (model.dimensions > 4_000) return sql`select`
  return raw(`create index on ${table}_${model.id} using hnsw
    ((vector::${type}) ${type.replace(/\(.*/, '')}_cosine_ops) where ${condition}`)
}

// Enqueued again and again without harm: what is finished ends at once.
async function resume(db: Db, { queue }: Pick<ModelDeps, 'queue'>, { id }: Pick<Model, 'id'>): Promise<void> {
  await queue.enqueue(db, 'reembed', { modelId: id }, { dedupeKey: `reembed:${id}` })
}

async function retire(db: Db, { queue, clock }: Pick<ModelDeps, 'queue' | 'clock'>, { id }: Model): Promise<void> {
  await db.run(sql`update embedding_model set state = 'retired' where id = ${id}`)
  const runAt = new Date(clock.now().getTime() + DROP_AFTER_MS)
  await queue.enqueue(db, 'drop_embeddings', { modelId: id }, { runAt, dedupeKey: `drop_embeddings:${id}` })
}

/** Lets a model that has embedded everything answer, in the place of the one before. */
export async function activateModel(deps: Pick<ModelDeps, 'db' | 'queue' | 'clock'>, id: number): Promise<void> {
  await deps.db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    const models = await listModels(db)
    if (models.find((model) => model.id === id)?.state !== 'building') return
    const active = models.find(({ state }) => state === 'active')
    if (active) await retire(db, deps, active)
    await db.run(sql`update embedding_model set state = 'active' where id = ${id}`)
  })
}

/** Removes what a retired model left behind. */
export async function dropModel(db: Db, id: number): Promise<void> {
  await db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    const model = (await listModels(db)).find((it) => it.id === id)
    if (model?.state !== 'retired') return
    await limitWaiting(db)
    for (const collection of collections) await db.run(sql`drop table ${tableOf(model, collection)}`)
    await db.run(sql`delete from embedding_model where id = ${id}`)
  })
}
