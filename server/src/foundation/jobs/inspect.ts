import sql, { type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Db } from '../db/db.js'
import { every } from '../db/db.js'
import type { Row } from '../db/row.js'

export const jobStates = ['waiting', 'running', 'failed'] as const
export type JobState = (typeof jobStates)[number]

/** How many jobs of a kind there are, by state. */
export interface KindCount {
  readonly kind: string
  readonly waiting: number
  readonly running: number
  readonly failed: number
}

/** A job as operators see it. */
export interface JobView {
  readonly id: string
  readonly kind: string
  readonly state: JobState
  readonly attempts: number
  readonly runAt: string
  readonly createdAt: string
  readonly failedAt: string | null
  readonly lastError: string | null
  readonly payload: unknown
}

type JobDeps = { readonly db: Db; readonly clock: Clock }

const stateAt = (now: Date): Sql => sql`
  case when failed_at is not null then 'failed' when locked_until > ${now} then 'running' else 'waiting' end`

/** Counts the jobs of each kind that has any. */
export function countKinds({ db, clock }: JobDeps): Promise<KindCount[]> {
  return db.many<KindCount>(sql`
    select kind, count(*) filter (where state = 'waiting')::int as waiting,
      count(*) filter (where state = 'running')::int as running, count(*) filter (where state = 'failed')::int as failed
    from (select kind, ${stateAt(clock.now())} as state from job) job group by kind order by kind`)
}

/** Lists jobs, those that are due first at the top. */
export async function listJobs(
  { db, clock }: JobDeps,
  { kind, state, most }: { kind?: string | undefined; state?: JobState | undefined; most: number },
): Promise<JobView[]> {
  const conditions = [
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
  ]
  const rows = await db.many<JobRow>(sql`
    select * from (select *, ${stateAt(clock.now())} as state from job) job
    where ${every(conditions)} order by run_at, id limit ${most}`)
  return rows.map(jobView)
}

export async function getJob({ db, clock }: JobDeps, id: string): Promise<JobView> {
  const row = await db.find<JobRow>(sql`
    select *, ${stateAt(clock.now())} as state from job where id = ${requireId(id)}`)
  if (!row) throw noJob(id)
  return jobView(row)
}

/** Removes a job that no worker holds, and returns it. */
export async function cancelJob({ db, clock }: JobDeps, id: string): Promise<JobView> {
  const now = clock.now()
  const row = await db.find<JobRow>(sql`
    delete from job where id = ${requireId(id)} and (locked_until is null or locked_until <= ${now} or failed_at is not null)
    returning *, ${stateAt(now)} as state`)
  if (row) return jobView(row)
  await getJob({ db, clock }, id)
  throw Problem.at('job', `${id} is running: it can be cancelled when it waits again`)
}

type JobRow = Row<'job'> & { readonly state: JobState }

function jobView(row: JobRow): JobView {
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    attempts: row.attempts,
    runAt: row.run_at.toISOString(),
    createdAt: row.created_at.toISOString(),
    failedAt: row.failed_at?.toISOString() ?? null,
    lastError: row.last_error,
    payload: withoutSecrets(row.payload),
  }
}

// Payloads hold ids, and are to hold nothing else; what looks like a secret all the same is not shown.
const SECRET = /secret|token|key|signature|password/i

function withoutSecrets(payload: unknown): unknown {
  return JSON.parse(JSON.stringify(payload, (name, value) => (SECRET.test(name) ? '***' : value)))
}

function requireId(id: string): string {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) throw Problem.at('job', 'must be the id of a job')
  return id
}

function noJob(id: string): Problem {
  return Problem.at('job', `${id} does not exist: it is done, or it was never there`)
}
