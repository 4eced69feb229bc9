import { randomUUID } from 'node:crypto'
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { literal } from '../db/literal.js'
import type { Row } from '../db/row.js'
import type { JobKind, JobPayloads } from './queue.js'

// A worker that was killed is missed after this; one that lives renews it.
const LEASE_MS = 10_000
const MAX_ATTEMPTS = 10
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 15 * 60_000

type JobRow = Row<'job', 'id' | 'attempts'> & {
  readonly kind: JobKind
  readonly payload: JobPayloads[JobKind]
  readonly lock_id: string
}

/** A job as it was taken. */
export type Taken = Pick<JobRow, 'id' | 'payload'>

/** A job in hand, with those that go along. */
export interface Hand extends JobRow {
  /** The jobs that are not done yet, this one among them. */
  readonly held: Set<string>
}

// Another worker may have taken a job over from one that gave no sign of life; then the first has no say in it any more.
const areMine = ({ lock_id }: Hand, ids: Iterable<string>) =>
  sql`id = any(${literal([...ids])}::uuid[]) and lock_id = ${lock_id}`

/** The statements by which a worker takes jobs, keeps them and lets go of them. */
export function createClaims({ db, clock }: { db: Db; clock: Clock }) {
  const leaseEnd = () => new Date(clock.now().getTime() + LEASE_MS)

  return {
    /** Takes the job of these kinds that has been due the longest. */
    async claim(kinds: readonly JobKind[]): Promise<Hand | undefined> {
      const row = await db.find<JobRow>(
        claimQuery(kinds, { now: clock.now(), until: leaseEnd(), lockId: randomUUID() }),
      )
      return row && { ...row, held: new Set([row.id]) }
    },

    /** Takes more jobs of the same kind along. Those that failed before are left to go alone. */
    async claimMore(hand: Hand, most: number): Promise<Taken[]> {
      if (hand.attempts > 1) return []
      const { kind, lock_id: lockId } = hand
      const rows = await db.many<Taken>(claimMoreQuery({ kind, lockId, most, now: clock.now(), until: leaseEnd() }))
      for (const { id } of rows) hand.held.add(id)
      return rows
    },

    async saveProgress(db: Db, hand: Hand, payload: JobPayloads[JobKind]): Promise<void> {
      const kept = await db.run(sql`
        update job set payload = ${JSON.stringify(payload)}, locked_until = ${leaseEnd()}, attempts = 1
        where ${areMine(hand, [hand.id])}`)
      requireAll(kept, 1)
    },

    /** Removes some of the jobs in hand in the transaction that did their work. */
    async complete(db: Db, hand: Hand, ids: readonly string[]): Promise<void> {
      requireAll(await db.run(sql`delete from job where ${areMine(hand, ids)}`), ids.length)
      db.afterCommit(() => {
        for (const id of ids) hand.held.delete(id)
      })
    },

    /** Keeps a job for later, in the transaction that found out when. */
    async postpone(db: Db, hand: Hand, runAt: Date): Promise<void> {
      const kept = await db.run(sql`
        update job set run_at = ${runAt}, locked_until = null, attempts = 0 where ${areMine(hand, [hand.id])}`)
      requireAll(kept, 1)
      db.afterCommit(() => void hand.held.delete(hand.id))
    },

    async renew(hand: Hand): Promise<void> {
      await db.run(sql`update job set locked_until = ${leaseEnd()} where ${areMine(hand, hand.held)}`)
    },

    async remove(hand: Hand): Promise<void> {
      if (hand.held.size > 0) await db.run(sql`delete from job where ${areMine(hand, hand.held)}`)
    },

    async reschedule(hand: Hand, runAt: Date): Promise<void> {
      await db.run(
        sql`update job set run_at = ${runAt}, locked_until = null, attempts = 0 where ${areMine(hand, hand.held)}`,
      )
    },

    async retryLater(hand: Hand, error: Error): Promise<void> {
      const now = clock.now()
      const wait = Math.min(FIRST_RETRY_MS * 2 ** (hand.attempts - 1), LAST_RETRY_MS)
      const failedAt = hand.attempts >= MAX_ATTEMPTS ? now : null
      await db.run(sql`
        update job set run_at = ${new Date(now.getTime() + wait)}, locked_until = null, failed_at = ${failedAt},
          last_error = ${error.message.slice(0, 500)}
        where ${areMine(hand, hand.held)}`)
    },

    /** For each of the kinds that has jobs: when the next of them can be taken. */
    listNext(kinds: readonly JobKind[]): Promise<{ kind: JobKind; at: Date }[]> {
      return db.many(nextQuery(kinds, clock.now()))
    },
  }
}

function requireAll(kept: number, wanted: number): void {
  if (kept < wanted) throw new Error('The job is no longer in hand')
}

interface Lease {
  readonly now: Date
  readonly until: Date
  readonly lockId: string
}

// One look into the index for each kind: however many wait of one, those of the others are found at once.
export function claimQuery(kinds: readonly JobKind[], { now, until, lockId }: Lease): Sql {
  return sql`
    update job set attempts = attempts + 1, lock_id = ${lockId}, locked_until = ${until}
    where id = (
      select first.id from unnest(${kinds}::text[]) as wanted (kind) cross join lateral (
        select id, run_at from job
        where job.kind = wanted.kind and failed_at is null and run_at <= ${now}
          and (locked_until is null or locked_until <= ${now})
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

// What is due and was not taken is in somebody's hand, or waits for its turn behind such. Of a long backlog the first are enough.
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
