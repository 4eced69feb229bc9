import { randomUUID } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { literal } from '../db/literal.js'
import type { Row } from '../db/row.js'
import type { JobKind, JobPayloads } from './queue.js'

// A live worker renews its lease; the jobs of a killed one are free after this.
const LEASE_MS = 10_000
const MAX_ATTEMPTS = 10
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 15 * 60_000

type JobRow = Row<'job', 'id' | 'attempts'> & {
  readonly kind: JobKind
  readonly payload: JobPayloads[JobKind]
  readonly lock_id: string
}

export type TakenJob = Pick<JobRow, 'id' | 'payload'>

/** A job that this worker holds, with the jobs it took along. */
export interface ClaimedJob extends JobRow {
  /** The ids of the jobs that are not done yet, including this one. */
  readonly held: Set<string>
}

// Once another worker has taken over the job of one that stopped renewing, the first must not change it any more.
const isHeldBy = ({ lock_id }: ClaimedJob, ids: Iterable<string>) =>
  sql`id = any(${literal([...ids])}::uuid[]) and lock_id = ${lock_id}`

interface ClaimOptions {
  readonly db: Db
  readonly clock: Clock
  /** What leases end by, where `clock` may leap while a job runs. */
  readonly leaseClock?: Clock
}

/** The statements with which a worker takes jobs, keeps them and releases them. */
export function createClaims({ db, clock, leaseClock = clock }: ClaimOptions) {
  const leaseEnd = () => new Date(leaseClock.now().getTime() + LEASE_MS)

  return {
    /** Takes the job of these kinds that has been due the longest. */
    async claim(kinds: readonly JobKind[]): Promise<ClaimedJob | undefined> {
      const row = await db.find<JobRow>(
        claimQuery(kinds, { now: clock.now(), expired: leaseClock.now(), until: leaseEnd(), lockId: randomUUID() }),
      )
      return row && { ...row, held: new Set([row.id]) }
    },

    /** Takes more jobs of the same kind along, but none that failed before: those run alone. */
    async claimMore(job: ClaimedJob, most: number): Promise<TakenJob[]> {
      if (job.attempts > 1) return []
      const { kind, lock_id: lockId } = job
      const rows = await db.many<TakenJob>(claimMoreQuery({ kind, lockId, most, now: clock.now(), until: leaseEnd() }))
      for (const { id } of rows) job.held.add(id)
      return rows
    },

    async saveProgress(db: Db, job: ClaimedJob, payload: JobPayloads[JobKind]): Promise<void> {
      const changed = await db.run(sql`
        update job set payload = ${JSON.stringify(payload)}, locked_until = ${leaseEnd()}, attempts = 1
        where ${isHeldBy(job, [job.id])}`)
      requireAll(changed, 1)
    },

    /** Removes some of the held jobs, in the transaction that did their work. */
    async complete(db: Db, job: ClaimedJob, ids: readonly string[]): Promise<void> {
      requireAll(await db.run(sql`delete from job where ${isHeldBy(job, ids)}`), ids.length)
      db.afterCommit(() => {
        for (const id of ids) job.held.delete(id)
      })
    },

    /**
     * Postpones the job, in the transaction that worked out until when. Without its lock id, a renewal that waits for the
     * transaction does not lock the job again.
     */
    async postpone(db: Db, job: ClaimedJob, runAt: Date): Promise<void> {
      const changed = await db.run(sql`
        update job set run_at = ${runAt}, lock_id = null, locked_until = null, attempts = 0
        where ${isHeldBy(job, [job.id])}`)
      requireAll(changed, 1)
      db.afterCommit(() => void job.held.delete(job.id))
    },

    async renew(job: ClaimedJob): Promise<void> {
      await db.run(sql`update job set locked_until = ${leaseEnd()} where ${isHeldBy(job, job.held)}`)
    },

    async remove(job: ClaimedJob): Promise<void> {
      if (job.held.size > 0) await db.run(sql`delete from job where ${isHeldBy(job, job.held)}`)
    },

    async reschedule(job: ClaimedJob, runAt: Date): Promise<void> {
      await db.run(
        sql`update job set run_at = ${runAt}, locked_until = null, attempts = 0
          where ${isHeldBy(job, job.held)}`,
      )
    },

    async retryLater(job: ClaimedJob, error: Error): Promise<void> {
      const now = clock.now()
      const wait = Math.min(FIRST_RETRY_MS * 2 ** (job.attempts - 1), LAST_RETRY_MS)
      const failedAt = job.attempts >= MAX_ATTEMPTS ? now : null
      await db.run(sql`
        update job set run_at = ${new Date(now.getTime() + wait)}, locked_until = null, failed_at = ${failedAt},
          last_error = ${error.message.slice(0, 500)}
        where ${isHeldBy(job, job.held)}`)
    },

    /** For each kind that has jobs: when the next one can be taken. */
    listNext(kinds: readonly JobKind[]): Promise<{ kind: JobKind; at: Date }[]> {
      return db.many(nextQuery(kinds, clock.now()))
    },
  }
}

function requireAll(changed: number, expected: number): void {
  if (changed < expected) throw new Error('Another worker has taken over the job')
}

interface Lease {
  readonly now: Date
  readonly until: Date
  readonly lockId: string
}

interface FirstLease extends Lease {
  /** Leases that end by then are over. */
  readonly expired: Date
}

// One index lookup per kind, so a long backlog of one kind does not slow down finding jobs of the others.
export function claimQuery(kinds: readonly JobKind[], { now, expired, until, lockId }: FirstLease): Sql {
  return sql`
    update job set attempts = attempts + 1, lock_id = ${lockId}, locked_until = ${until}
    where id = (
      select first.id from unnest(${kinds}::text[]) as wanted (kind) cross join lateral (
        select id, run_at from job
        where job.kind = wanted.kind and failed_at is null and run_at <= ${now}
          and (locked_until is null or locked_until <= ${expired})
        order by run_at, id limit 1 for update skip locked) first
      order by first.run_at, first.id limit 1)
    returning id, lock_id, kind, payload, attempts`
}

export function claimMoreQuery(lease: Lease & { readonly kind: JobKind; readonly most: number }): Sql {
  const { kind, lockId, most, now, until } = lease
  return sql`
    update job set attempts = attempts + 1, lock_id = ${lockId}, locked_until = ${until}
    where id = any(array(
      select id from job
      where kind = ${kind} and attempts = 0 and failed_at is null and run_at <= ${now} and locked_until is null
      order by run_at, id limit ${most} for update skip locked))
    returning id, payload`
}

// A due job that was not taken is held by a worker, or queues behind such jobs. The head of a long backlog is enough.
const MOST_HELD = raw('2000')

function nextQuery(kinds: readonly JobKind[], now: Date): Sql {
  return sql`
    select wanted.kind, least(waiting.at, held.at) as at
    from unnest(${kinds}::text[]) as wanted (kind)
    left join lateral (
      select run_at as at from job where job.kind = wanted.kind and failed_at is null and run_at > ${now}
      order by run_at, id limit 1) waiting on true
    left join lateral (
      select min(at) as at from (
        select coalesce(locked_until, run_at) as at from job
        where job.kind = wanted.kind and failed_at is null and run_at <= ${now}
        order by run_at, id limit ${MOST_HELD}) due) held on true
    where waiting.at is not null or held.at is not null`
}
