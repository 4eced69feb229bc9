import type { Logger } from 'pino'
import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import type { Row } from '../db/row.js'
import type { Queue } from './queue.js'
import type { JobHandlers } from './worker.js'

/** Where a backfill continues, as it goes into the database. */
export type Position = Readonly<Record<string, string | number>>

/**
 * Work on rows that are stored already, done in the background after an upgrade. Versions before and after it serve
 * meanwhile, so readers have to manage without what is not done yet.
 */
export interface Backfill {
  readonly name: string
  /** Whether older versions, which may run for a while beside this one, store rows that need it: then it goes over all again. */
  readonly repeats?: boolean
  /** How many rows there are, about; in any unit, as long as `step` counts in the same. */
  count(db: Db): Promise<number>
  /** Does some more, in a transaction of its own, so briefly that nobody minds; undefined where nothing is left. May repeat what is done. */
  step(
    db: Db,
    position: Position | undefined,
  ): Promise<{ readonly position: Position; readonly done: number } | undefined>
}

// The pause after a pass doubles from a minute on: all old instances are gone long before the last one, after two days.
const PASSES = 12
const MINUTE_MS = 60_000
const LOG_EVERY_MS = 10_000

type State = Row<'backfill', 'passes' | 'total'> & { readonly position: Position | null; readonly done: bigint }
interface BackfillDeps {
  readonly db: Db
  readonly clock: Clock
  readonly log: Pick<Logger, 'info'>
}

/** The handler of backfills, which finds them by name. */
export function backfillJobs(
  { db, clock, log }: BackfillDeps,
  backfills: readonly Backfill[],
): Pick<JobHandlers, 'backfill'> {
  const later = (ms: number) => ({ again: new Date(clock.now().getTime() + ms) })
  return {
    async backfill(job) {
      const { name } = job.payload
      const backfill = backfills.find((one) => one.name === name)
      // One of a newer version, whose workers will take it.
      if (!backfill) return later(MINUTE_MS)
      let loggedAt = clock.now().getTime()
      for (;;) {
        if (job.stopping()) return later(0)
        const state = await beginPass(db, backfill, clock.now())
        if (!state) return undefined
        if (!(await stepOnce(db, backfill, state.position ?? undefined))) {
          const isLast = !backfill.repeats || state.passes + 1 >= PASSES
          await endPass(db, name, isLast ? clock.now() : undefined)
          log.info(
            { name, done: Number(state.done), pass: state.passes + 1 },
            isLast ? 'a backfill is done' : 'a backfill went over everything',
          )
          return isLast ? undefined : later(MINUTE_MS * 2 ** state.passes)
        }
        if (clock.now().getTime() - loggedAt >= LOG_EVERY_MS) {
          loggedAt = clock.now().getTime()
          log.info({ name, done: Number(state.done), total: Number(state.total) }, 'a backfill is under way')
        }
        await job.rest()
      }
    },
  }
}

/** Enqueues the backfills that are not done yet. */
export async function scheduleBackfills(
  { db, queue }: { readonly db: Db; readonly queue: Queue },
  backfills: readonly Backfill[],
): Promise<void> {
  const finished = await db.many<Row<'backfill', 'name'>>(sql`select name from backfill where finished_at is not null`)
  const names = new Set(finished.map(({ name }) => name))
  for (const { name } of backfills)
    if (!names.has(name)) await queue.enqueue(db, 'backfill', { name }, { dedupeKey: `backfill ${name}` })
}

/** Returns how far it is, after counting what there is to do at the beginning; undefined once it is done. */
async function beginPass(db: Db, { name, count }: Backfill, now: Date): Promise<State | undefined> {
  const read = () =>
    db.find<State & Row<'backfill', 'finished_at'>>(
      sql`select passes, position, done, total, finished_at from backfill where name = ${name}`,
    )
  const state = await read()
  if (state?.finished_at) return undefined
  if (state?.position) return state
  const total = await count(db)
  await db.run(sql`
    insert into backfill (name, total, started_at) values (${name}, ${total}, ${now})
    on conflict (name) do update set total = excluded.total`)
  return read()
}

async function stepOnce(db: Db, { name, step }: Backfill, from: Position | undefined): Promise<boolean> {
  return db.transaction(async (db) => {
    const next = await step(db, from)
    if (!next) return false
    await db.run(sql`
      update backfill set position = ${JSON.stringify(next.position)}, done = done + ${next.done} where name = ${name}`)
    return true
  })
}

function endPass(db: Db, name: string, finishedAt: Date | undefined): Promise<number> {
  // The figures of the last pass stay.
  return finishedAt
    ? db.run(sql`update backfill set passes = passes + 1, finished_at = ${finishedAt} where name = ${name}`)
    : db.run(sql`update backfill set passes = passes + 1, position = null, done = 0 where name = ${name}`)
}

export type BackfillState = Row<'backfill', 'name' | 'passes' | 'done' | 'total' | 'started_at' | 'finished_at'>

export function listBackfills(db: Db): Promise<BackfillState[]> {
  return db.many(sql`select name, passes, done, total, started_at, finished_at from backfill order by started_at, name`)
}

/** How much is left of the first pass over everything: the later ones find little. */
export async function countBackfillLeft(db: Db): Promise<number> {
  const { left } = await db.one<{ left: bigint }>(sql`
    select coalesce(sum(greatest(total - done, 0)), 0)::bigint as left from backfill where finished_at is null and passes = 0`)
  return Number(left)
}
