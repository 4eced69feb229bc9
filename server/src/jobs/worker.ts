import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Clock } from '../clock.js'
import type { Db } from '../db/db.js'
import type { JobKind, JobPayloads, Queue } from './queue.js'

/** One piece of work in hand. */
export interface Job<Kind extends JobKind = JobKind> {
  readonly id: string
  readonly payload: JobPayloads[Kind]
  /** Keeps how far the work has come, in the transaction that did it, so that a killed worker goes on from there. */
  saveProgress(db: Db, payload: JobPayloads[Kind]): Promise<void>
  /**
   * Takes up to so many more due jobs of this kind along: they end, wait or fail together with this one. A job that
   * failed before goes alone, so that one which cannot be done does not keep others from it.
   */
  takeMore(most: number): Promise<JobPayloads[Kind][]>
  /** True once the process is stopping: save progress and return; the job is taken up again. */
  readonly stopping: () => boolean
}

/** What is done for each kind of job. `again` keeps the job: at a later time, or at once when stopped early. */
export type JobHandlers = {
  readonly [Kind in JobKind]: (job: Job<Kind>) => Promise<undefined | { again: Date }>
}

interface JobRow {
  id: string
  lock_id: string
  kind: JobKind
  payload: JobPayloads[JobKind]
  attempts: number
}

export interface Worker {
  /** Runs everything that is due, here and now. */
  drain(): Promise<number>
  /** Takes no more work and waits for what is in hand. */
  stop(): Promise<void>
}

const POLL_MS = 500
// A worker that was killed is missed after this; one that lives renews it.
const LEASE_MS = 10_000
const RENEW_EVERY_MS = 3_000
const MAX_ATTEMPTS = 10
const FIRST_RETRY_MS = 1_000
const LAST_RETRY_MS = 15 * 60_000

interface WorkerOptions {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Queue
  readonly handlers: JobHandlers
  /** How many jobs run at a time. */
  readonly lanes: number
  onError(kind: JobKind, error: Error): void
  /** Called when jobs cannot be taken any more, once until they can again. */
  onOutage?(error: Error): void
}

/** A job in hand, with those that go along. */
interface Hand extends JobRow {
  readonly along: string[]
}

// Another worker may have taken a job over from one that gave no sign of life; then the first has no say in it any more.
const isMine = ({ id, lock_id }: JobRow) => sql`id = ${id} and lock_id = ${lock_id}`
const areMine = ({ id, along, lock_id }: Hand) => sql`id = any(${[id, ...along]}::uuid[]) and lock_id = ${lock_id}`

/** Takes jobs from the table and runs them. With `start` it keeps doing so; without, only `drain` does. */
export function createWorker(options: WorkerOptions): Worker & { start(): void } {
  const { db, clock, queue, handlers, lanes, onError, onOutage } = options
  let isOut = false
  let stopping = false
  const sleepers = new Set<() => void>()
  const running: Promise<void>[] = []

  const wakeAll = () => {
    for (const wake of sleepers) wake()
  }
  queue.onWork(wakeAll)

  async function lane(): Promise<void> {
    while (!stopping) {
      const worked = await runOne().then(
        (worked) => {
          isOut = false
          return worked
        },
        (error: Error) => {
          if (!isOut) onOutage?.(error)
          isOut = true
          return false
        },
      )
      if (worked || stopping) continue
      await sleep()
    }
  }

  function sleep(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(wake, POLL_MS)
      sleepers.add(wake)
      function wake(): void {
        clearTimeout(timer)
        sleepers.delete(wake)
        resolve()
      }
    })
  }

  async function runOne(): Promise<boolean> {
    const row = await claim()
    if (!row) return false
    const job: Hand = { ...row, along: [] }
    const renewing = setInterval(() => void renew(job).catch(() => {}), RENEW_EVERY_MS)
    try {
      const outcome = await handlers[job.kind](inHand(job) as never)
      await (outcome ? reschedule(job, outcome.again) : remove(job))
    } catch (error) {
      onError(job.kind, error as Error)
      await retryLater(job, error as Error)
    } finally {
      clearInterval(renewing)
    }
    return true
  }

  const leaseEnd = () => new Date(clock.now().getTime() + LEASE_MS)

  function claim(): Promise<JobRow | undefined> {
    const now = clock.now()
    return db.find<JobRow>(sql`
      update job set attempts = attempts + 1, lock_id = ${randomUUID()}, locked_until = ${leaseEnd()}
      where id = (
        select id from job
        where failed_at is null and run_at <= ${now} and (locked_until is null or locked_until <= ${now})
        order by run_at, id limit 1 for update skip locked)
      returning id, lock_id, kind, payload, attempts`)
  }

  async function claimMore(job: Hand, most: number): Promise<JobRow['payload'][]> {
    if (job.attempts > 1) return []
    const now = clock.now()
    const rows = await db.many<JobRow>(sql`
      update job set attempts = attempts + 1, lock_id = ${job.lock_id}, locked_until = ${leaseEnd()}
      where id in (
        select id from job
        where kind = ${job.kind} and attempts = 0 and failed_at is null and run_at <= ${now} and locked_until is null
        order by run_at, id limit ${most} for update skip locked)
      returning id, payload`)
    job.along.push(...rows.map(({ id }) => id))
    return rows.map(({ payload }) => payload)
  }

  function inHand(job: Hand): Job {
    return {
      id: job.id,
      payload: job.payload,
      takeMore: (most) => claimMore(job, most),
      stopping: () => stopping,
      async saveProgress(db, payload) {
        const kept = await db.run(sql`
          update job set payload = ${JSON.stringify(payload)}, locked_until = ${leaseEnd()}, attempts = 1
          where ${isMine(job)}`)
        if (kept === 0) throw new Error('The job is no longer in hand')
      },
    }
  }

  async function renew(job: Hand): Promise<void> {
    await db.run(sql`update job set locked_until = ${leaseEnd()} where ${areMine(job)}`)
  }

  async function remove(job: Hand): Promise<void> {
    await db.run(sql`delete from job where ${areMine(job)}`)
  }

  async function reschedule(job: Hand, runAt: Date): Promise<void> {
    await db.run(sql`update job set run_at = ${runAt}, locked_until = null, attempts = 0 where ${areMine(job)}`)
  }

  async function retryLater(job: Hand, error: Error): Promise<void> {
    const now = clock.now()
    const wait = Math.min(FIRST_RETRY_MS * 2 ** (job.attempts - 1), LAST_RETRY_MS)
    const failedAt = job.attempts >= MAX_ATTEMPTS ? now : null
    await db.run(sql`
      update job set run_at = ${new Date(now.getTime() + wait)}, locked_until = null, failed_at = ${failedAt},
        last_error = ${error.message.slice(0, 500)}
      where ${areMine(job)}`)
  }

  return {
    start() {
      for (let index = 0; index < lanes; index++) running.push(lane())
    },
    async drain() {
      let count = 0
      while (await runOne()) count++
      return count
    },
    async stop() {
      stopping = true
      wakeAll()
      await Promise.all(running)
    },
  }
}
