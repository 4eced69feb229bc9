import sql, { raw, type Sql } from 'sql-template-tag'
import type { Embedder, Embedders } from '../../adapters/embeddings/embedder.js'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import type { Queue } from '../../foundation/jobs/queue.js'
import { collections } from './collections.js'
import { measureNoise } from './noise.js'
import { type Model, tableOf, vectorType } from './vectors.js'

/** A model and its embedder. */
export interface Serving {
  readonly model: Model
  readonly embedder: Embedder
}

/** The embedding models in the database, and those that this process can use. */
export interface Models {
  /** Makes the configured model the active one: at once if there is none, else after all texts are re-embedded. */
  adopt(): Promise<void>
  /** The model that answers searches; undefined while no embedder for queries is ready. */
  findServing(): Promise<Serving | undefined>
  /** The models that every new text needs a vector of; empty while the configured one loads. */
  listWanted(): Promise<Serving[]>
  /** The model with its embedder, if that is ready in this process. */
  serve(model: Model): Serving | undefined
  /** The model whose vectors answer searches, whether or not this process has an embedder for it. */
  findActive(): Promise<Model | undefined>
}

interface ModelDeps {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Queue
  readonly embedders: Embedders
}

const CACHE_MS = 1_000
const MAX_WAIT_FOR_OLD_MS = 10_000
// Long enough for every process to notice that another model is active.
const DROP_AFTER_MS = 10 * 60_000
// The key of an advisory lock: any number that nothing else in the database uses.
const LOCK = 727_665_380

export function createModels(deps: ModelDeps): Models {
  const { db, clock, embedders } = deps
  let cached: { models: Model[]; until: number } | undefined
  let isAdopted = false
  let adoption: Promise<void> | undefined

  async function list(): Promise<Model[]> {
    const now = clock.now().getTime()
    if (cached && cached.until > now) return cached.models
    const models = await listModels(db)
    cached = { models, until: now + CACHE_MS }
    return models
  }

  function serve(model: Model): Serving | undefined {
    const embedder = embedders.find(model.name)
    void embedder?.ready.catch(() => {})
    return embedder?.isReady() && embedder.dimensions === model.dimensions ? { model, embedder } : undefined
  }

  async function adoptConfigured(): Promise<void> {
    const { configured } = embedders
    await configured.ready
    const active = (await listModels(db)).find(({ state }) => state === 'active')
    const isNew = !active || !isModelOf(configured, active)
    // While the old vectors answer searches, new texts need old vectors too.
    const keepsOld = isNew && active !== undefined && (await waitUntilReady(embedders.find(active.name)))
    const noise = isNew ? await measureNoise(configured) : { noise: 0, spread: 0 }
    await adoptModel(deps, configured, { ...noise, keepsOld })
    cached = undefined
    isAdopted = true
  }

  function adopt(): Promise<void> {
    if (isAdopted) return Promise.resolve()
    adoption ??= adoptConfigured().finally(() => {
      adoption = undefined
    })
    return adoption
  }

  return {
    adopt,
    async findServing() {
      const models = await list()
      const active = models.find(({ state }) => state === 'active')
      if (active && embedders.find(active.name)) return serve(active)
      // Another configuration made the active vectors. Those of this process's own model may still exist.
      return models.flatMap((model) => serve(model) ?? [])[0]
    },
    async listWanted() {
      if (!isAdopted && !embedders.configured.isReady()) {
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

const isModelOf = (embedder: Embedder, { name, dimensions }: Model) =>
  name === embedder.model && dimensions === embedder.dimensions

async function waitUntilReady(embedder: Embedder | undefined): Promise<boolean> {
  if (!embedder) return false
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, MAX_WAIT_FOR_OLD_MS)
  })
  await Promise.race([embedder.ready.catch(() => {}), timeout])
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
  /** Whether the vectors of the active model can answer searches until the new ones are complete. */
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

/** Creates a model in state `building` for the configured embedder, or continues one; also if the same model is active. */
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

/** Inserts a model in state `building`, with its tables and indexes. There must be no other in that state. */
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
  await limitLockWait(db)
  for (const { table, indexes } of collections) {
    await db.run(sql`create table ${raw(`${table}_${model.id} partition of ${table} for values in (${model.id})`)}`)
    for (const condition of indexes) await db.run(vectorIndex(model, table, condition))
    await db.run(sql`insert into embedding_progress (model_id, collection) values (${model.id}, ${table})`)
  }
  return model
}

// A schema change waits for all users of the table, and blocks all later ones meanwhile.
async function limitLockWait(db: Db): Promise<void> {
  await db.run(sql`set local lock_timeout = '5s'`)
}

function vectorIndex(model: Model, table: string, condition: string): Sql {
  const type = vectorType(model)
  if (model.dimensions > 4_000) return sql`select`
  return raw(`create index on ${table}_${model.id} using hnsw
    ((vector::${type}) ${type.replace(/\(.*/, '')}_cosine_ops) where ${condition}`)
}

// May be enqueued repeatedly: the job of a finished model ends at once.
async function resume(db: Db, { queue }: Pick<ModelDeps, 'queue'>, { id }: Pick<Model, 'id'>): Promise<void> {
  await queue.enqueue(db, 'reembed', { modelId: id }, { dedupeKey: `reembed:${id}` })
}

async function retire(db: Db, { queue, clock }: Pick<ModelDeps, 'queue' | 'clock'>, { id }: Model): Promise<void> {
  await db.run(sql`update embedding_model set state = 'retired' where id = ${id}`)
  const runAt = new Date(clock.now().getTime() + DROP_AFTER_MS)
  await queue.enqueue(db, 'drop_embeddings', { modelId: id }, { runAt, dedupeKey: `drop_embeddings:${id}` })
}

/** Activates a model that has embedded all texts, and retires the previous one. */
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

/** Deletes a retired model and its vectors. */
export async function dropModel(db: Db, id: number): Promise<void> {
  await db.transaction(async (db) => {
    await db.run(sql`select pg_advisory_xact_lock(${LOCK})`)
    const model = (await listModels(db)).find((candidate) => candidate.id === id)
    if (model?.state !== 'retired') return
    await limitLockWait(db)
    for (const collection of collections) await db.run(sql`drop table ${tableOf(model, collection)}`)
    await db.run(sql`delete from embedding_model where id = ${id}`)
  })
}
