import type { Db } from '@rookery/server/database'
import { UsageError } from '@rookery/tooling/command'
import sql from 'sql-template-tag'
import type { SeedPlan } from './plan.js'

/** The progress of one step: where it continues, and how many rows it has made. */
export interface StepProgress {
  readonly next: number
  readonly rows: number
  readonly finished: boolean
}

/** Creates the tables for the progress, in the schema that holds everything about the seeding itself. */
export async function prepareProgress(db: Db): Promise<void> {
  await db.run(sql`create schema if not exists bench`)
  await db.run(sql`create table if not exists bench.plan (id boolean primary key default true, plan jsonb not null)`)
  await db.run(sql`
    create table if not exists bench.progress (
      step text primary key, next bigint not null, rows bigint not null, finished boolean not null)`)
  // Indexes to recreate when their table is full.
  await db.run(
    sql`create table if not exists bench.index (name text primary key, owner text not null, ddl text not null)`,
  )
}

/** Stores the plan of the data set, or checks that it equals the plan of a stopped run. */
export async function keepPlan(db: Db, wanted: Omit<SeedPlan, 'until'> & { until?: number }): Promise<SeedPlan> {
  const kept = await findPlan(db)
  if (!kept) {
    const { taken } = await db.one<{ taken: boolean }>(sql`select exists (select from agent) as taken`)
    if (taken) throw new UsageError('The database has agents already. Give an empty one.')
    const plan: SeedPlan = { ...wanted, until: wanted.until ?? Date.now() }
    await db.run(sql`insert into bench.plan (plan) values (${JSON.stringify(plan)})`)
    return plan
  }
  const names = ['agents', 'tweets', 'follows', 'likes', 'seed', 'until'] as const
  const other = names.filter((name) => wanted[name] !== undefined && wanted[name] !== kept[name])
  if (other.length > 0)
    throw new UsageError(
      `The database has a data set with ${other.map((name) => `--${name} ${kept[name]}`).join(' ')}. ` +
        'Give the same numbers to continue it, or an empty database.',
    )
  return kept
}

export async function findPlan(db: Db): Promise<SeedPlan | undefined> {
  return (await db.find<{ plan: SeedPlan }>(sql`select plan from bench.plan`))?.plan
}

export async function readProgress(db: Db, step: string): Promise<StepProgress> {
  const row = await db.find<{ next: bigint; rows: bigint; finished: boolean }>(
    sql`select next, rows, finished from bench.progress where step = ${step}`,
  )
  return row
    ? { next: Number(row.next), rows: Number(row.rows), finished: row.finished }
    : { next: 0, rows: 0, finished: false }
}

export async function saveProgress(db: Db, step: string, { next, rows, finished }: StepProgress): Promise<void> {
  await db.run(sql`
    insert into bench.progress (step, next, rows, finished) values (${step}, ${next}, ${rows}, ${finished})
    on conflict (step) do update set next = excluded.next, rows = excluded.rows, finished = excluded.finished`)
}
