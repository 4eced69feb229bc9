import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { allowErasing } from '../../foundation/audit/old-words.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row, Tables } from '../../foundation/db/row.js'
import { agentSteps } from './agent-steps.js'
import { ownerSteps } from './owner-steps.js'
import type { Sought } from './sought.js'
import type { EraseDeps, Position, Step } from './step.js'
import { walletSteps } from './wallet-steps.js'

type Kind = Tables['erasure']['kind']

/** The second pass finds what was under way during the first: jobs, calls, messages to receivers. */
const PASSES = 2
const PAUSE_MS = 10 * 60_000

/** The steps of an erasure. */
export function stepsOf({ kind }: Pick<Sought, 'kind'>): readonly Step<Sought>[] {
  const steps = { agent: agentSteps, owner: ownerSteps, wallet: walletSteps }[kind]
  return steps as readonly Step<never>[] as readonly Step<Sought>[]
}

/** What finds an erasure again after an older backup is restored: the agent's id, the owner's X id, the address. */
export function digestOfErased({ secrets }: Pick<Deps, 'secrets'>, kind: Kind, key: string): Buffer {
  return secrets.hash('erased', `${kind} ${key}`)
}

function keyOf(sought: Sought): string {
  if (sought.kind === 'agent') return sought.id
  return sought.kind === 'wallet' ? sought.wallet : (sought.xId ?? sought.handles.join(' '))
}

/** Records an erasure and enqueues its job, in the transaction of its immediate part. Returns its id. */
export async function insertErasure(
  db: Db,
  { clock, ids, queue, secrets }: Pick<Deps, 'clock' | 'ids' | 'queue' | 'secrets'>,
  sought: Sought,
): Promise<string> {
  const digest = digestOfErased({ secrets }, sought.kind, keyOf(sought))
  const { id } = await db.one<Row<'erasure', 'id'>>(sql`
    insert into erasure (id, kind, digest, agent_id, sought, started_at)
    values (${ids.next()}, ${sought.kind}, ${digest}, ${sought.kind === 'agent' ? sought.id : null}, ${JSON.stringify(sought)},
      ${clock.now()})
    on conflict (kind, digest) where finished_at is null do update set sought = excluded.sought, pass = 0, step = 0, position = null
    returning id`)
  await queue.enqueue(db, 'erase', { erasureId: id }, { dedupeKey: `erase ${id}` })
  return id
}

type State = Row<'erasure', 'pass' | 'step' | 'done'> & {
  readonly sought: Sought | null
  readonly position: Position | null
}

/** Does the next part of an erasure. Returns when to go on: undefined at once, `never` when it is done. */
export async function eraseSome(
  db: Db,
  deps: EraseDeps,
  id: string,
): Promise<{ readonly sought?: Sought; readonly again?: Date | 'never' }> {
  return db.transaction(async (db) => {
    const state = await db.find<State>(
      sql`select pass, step, position, done, sought from erasure where id = ${id} for update`,
    )
    if (!state?.sought) return { again: 'never' as const }
    const { sought } = state
    const step = stepsOf(sought)[state.step]
    if (!step) return endPass(db, deps, id, state.pass + 1)
    await allowErasing(db)
    const taken = await step.take(db, deps, sought, state.position ?? undefined)
    const done = { ...(state.done as Record<string, number>) }
    if (taken && taken.done > 0) done[step.table] = (done[step.table] ?? 0) + taken.done
    await db.run(sql`
      update erasure set step = ${taken ? state.step : state.step + 1}, done = ${JSON.stringify(done)},
        position = ${taken?.position ? JSON.stringify(taken.position) : null}::jsonb
      where id = ${id}`)
    return { sought }
  }, 'long')
}

async function endPass(db: Db, deps: EraseDeps, id: string, passes: number): Promise<{ again: Date | 'never' }> {
  const { clock, log } = deps
  const now = clock.now()
  if (passes < PASSES) {
    await db.run(sql`update erasure set pass = ${passes}, step = 0, position = null where id = ${id}`)
    return { again: new Date(now.getTime() + PAUSE_MS) }
  }
  const row = await db.one<Row<'erasure', 'kind' | 'agent_id'>>(sql`
    update erasure set pass = ${passes}, sought = null, position = null, finished_at = ${now} where id = ${id}
    returning kind, agent_id`)
  log.info({ erasureId: id, kind: row.kind, agentId: row.agent_id }, 'an erasure is done')
  return { again: 'never' }
}

/** How far an erasure is, for operators. */
export interface ErasureView {
  readonly id: string
  readonly kind: Kind
  /** The row that stays of an agent. */
  readonly agentId: string | null
  /** Finds it again in a restored backup. */
  readonly digest: string
  readonly pass: number
  readonly step: number
  readonly steps: number
  /** How many rows were deleted or emptied, by table. */
  readonly done: Readonly<Record<string, number>>
  readonly startedAt: string
  readonly finishedAt: string | null
}

/** Lists erasures that began at or after a time, oldest first. */
export async function listErasures(db: Db, since = new Date(0)): Promise<ErasureView[]> {
  const rows = await db.many<Row<'erasure'>>(
    sql`select * from erasure where started_at >= ${since} order by started_at, id`,
  )
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    agentId: row.agent_id,
    digest: row.digest.toString('hex'),
    pass: row.pass,
    step: row.step,
    steps: stepsOf(row).length,
    done: row.done as Record<string, number>,
    startedAt: row.started_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
  }))
}

/** What an erasure would take, by table. */
export interface Planned {
  readonly table: string
  readonly fate: 'deleted' | 'emptied'
  readonly rows: number
}

export async function planErasure(db: Db, sought: Sought): Promise<Planned[]> {
  const planned: Planned[] = []
  for (const { table, fate, count } of stepsOf(sought)) {
    const rows = await count(db, sought)
    if (rows > 0) planned.push({ table, fate, rows })
  }
  return planned
}
