import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { createAlarm } from './alarm.js'
import { type ClaimedJob, createClaims } from './claims.js'
import { createGiveWay, createTraffic, type Pace, type Traffic } from './give-way.js'
import type { AroundJob } from './measure.js'
import type { JobKind, JobPayloads, Queue } from './queue.js'

/** A job as its handler sees it. */
export interface Job<Kind extends JobKind = JobKind> {
  readonly id: string
  readonly payload: JobPayloads[Kind]
  /** Saves progress in the transaction that did the work, so that the job continues from there after a crash. */
  saveProgress(db: Db, payload: JobPayloads[Kind]): Promise<void>
  /**
   * Takes up to `most` more due jobs of this kind along: they complete, wait or fail together with this one. A job that
   * failed before runs alone, so that a broken one does not drag others down.
   */
  takeMore(most: number): Promise<{ readonly id: string; readonly payload: JobPayloads[Kind] }[]>
  /** Removes some of the jobs taken, in the transaction that did their work. */
  complete(db: Db, ids: readonly string[]): Promise<void>
  /**
   * Postpones the job, in the transaction that worked out until when. After `saveProgress` in the same transaction, a
   * concurrent `hasten` waits for the commit, so it is not overwritten.
   */
  postpone(db: Db, runAt: Date): Promise<void>
  /** Gives way to requests between two parts of the work. */
  rest(): Promise<void>
  /** Waits for something that does not slow down requests, so that the job need not rest for it. */
  aside<T>(waiting: Promise<T>): Promise<T>
  /** True once the process is stopping: save progress and return; the job continues later. */
  readonly stopping: () => boolean
}

/** When to run the job again. With `lane`, the whole lane pauses until then. */
export interface Again {
  readonly again: Date
  readonly lane?: boolean
}

/** The handler of each kind of job. Returning `again` keeps the job, for later or for right after an early stop. */
export type JobHandlers = {
  readonly [Kind in JobKind]: (job: Job<Kind>) => Promise<undefined | Again>
}

export interface Worker {
  /** Runs everything that is due and returns how many jobs that was. */
  drain(): Promise<number>
  /** Takes no more jobs and waits for the running ones. */
  stop(): Promise<void>
}

const RENEW_EVERY_MS = 3_000

interface WorkerOptions {
  readonly db: Db
  readonly clock: Clock
  /** What leases of jobs end by; default: `clock`. */
  readonly leaseClock?: Clock
  readonly queue: Queue
  readonly handlers: JobHandlers
  /** Kinds that have lanes of their own; each lane runs one job, or one set of jobs, at a time. */
  readonly ownLanes?: readonly OwnLanes[]
  /** How many jobs of all other kinds run at a time. */
  readonly lanes: number
  /** No other process enqueues, so there is nothing to poll for. */
  readonly isAlone?: boolean
  /** The requests that jobs give way to. */
  readonly traffic?: Pick<Traffic, 'requests'>
  readonly around?: AroundJob
  onError(kind: JobKind, error: Error): void
  /** Called once per outage, when jobs can no longer be claimed. */
  onOutage?(error: Error): void
}

/** Kinds of jobs with lanes of their own, and how many lanes. */
export interface OwnLanes {
  readonly kinds: readonly JobKind[]
  readonly lanes: number
  /** A lane takes all waiting jobs along, so one lane is enough for a few jobs. */
  readonly takesSets: boolean
}

/** Lanes that take jobs of the same kinds. */
interface Group extends OwnLanes {
  readonly newPace: () => Pace
  readonly sleepers: (() => void)[]
  /** New work may have arrived since a lane last checked. */
  isStirred: boolean
  /** No job of these kinds can run before this time. */
  closedUntil: number
}

const runAlone: AroundJob = (_job, run) => run()

/** Takes jobs from the table and runs them. With `start` it keeps doing so; without, only `drain` does. */
export function createWorker(options: WorkerOptions): Worker & { start(): void } {
  const { clock, queue, handlers, onError, onOutage, traffic = createTraffic(), around = runAlone } = options
  const claims = createClaims(options)
  const stopped = new AbortController()
  const stopping = () => stopped.signal.aborted
  const running: Promise<void>[] = []
  let isOut = false

  const newGroup = (own: OwnLanes): Group => ({
    ...own,
    newPace: createGiveWay({ traffic, signal: stopped.signal }),
    sleepers: [],
    isStirred: false,
    closedUntil: Number.NEGATIVE_INFINITY,
  })
  const own = options.ownLanes ?? []
  const others = (Object.keys(handlers) as JobKind[]).filter((kind) => !own.some(({ kinds }) => kinds.includes(kind)))
  const groups = [...own.map(newGroup), newGroup({ kinds: others, lanes: options.lanes, takesSets: false })]
  const groupOf = (kind: JobKind) => groups.find(({ kinds }) => kinds.includes(kind))

  const alarm = createAlarm({
    clock,
    isAlone: options.isAlone ?? false,
    async listNext() {
      const asleep = groups.filter(({ sleepers }) => sleepers.length > 0)
      if (asleep.length === 0) return []
      const next = await reportOutage(claims.listNext(asleep.flatMap(({ kinds }) => kinds)))
      return next.map(({ kind, at }) => ({ kind, at: Math.max(at.getTime(), groupOf(kind)?.closedUntil ?? 0) }))
    },
    wake,
  })
  queue.onWork(wake)

  // Wakes one lane. If that lane finds work, or more than it can take along, it wakes the next.
  function wake(kind: JobKind): void {
    const group = groupOf(kind)
    if (!group) return
    group.isStirred = true
    group.sleepers.pop()?.()
  }

  async function lane(group: Group): Promise<void> {
    const pace = group.newPace()
    while (!stopping()) {
      await pace.begin()
      group.isStirred = false
      const job =
        stopping() || isClosed(group) ? undefined : await reportOutage(claims.claim(group.kinds)).catch(() => undefined)
      if (job) {
        if (!group.takesSets) wake(job.kind)
        await reportOutage(run(job, group, pace)).catch(() => {})
        pace.end()
      } else if (!group.isStirred && !stopping()) {
        const woken = new Promise<void>((resolve) => group.sleepers.push(resolve))
        alarm.reset()
        await woken
      }
    }
  }

  const isClosed = ({ closedUntil }: Group) => closedUntil > clock.now().getTime()

  // Reports an outage once.
  async function reportOutage<T>(statement: Promise<T>): Promise<T> {
    try {
      const result = await statement
      isOut = false
      return result
    } catch (error) {
      if (!isOut) onOutage?.(error as Error)
      isOut = true
      throw error
    }
  }

  async function run(job: ClaimedJob, group: Group, pace?: Pace): Promise<void> {
    const renewing = setInterval(() => void claims.renew(job).catch(() => {}), RENEW_EVERY_MS)
    try {
      const outcome = await around(job, () => handlers[job.kind](toJob(job, pace) as never))
      if (outcome?.lane) group.closedUntil = outcome.again.getTime()
      await (outcome ? claims.reschedule(job, outcome.again) : claims.remove(job))
    } catch (error) {
      onError(job.kind, error as Error)
      await claims.retryLater(job, error as Error)
    } finally {
      clearInterval(renewing)
    }
  }

  function toJob(job: ClaimedJob, pace: Pace | undefined): Job {
    return {
      id: job.id,
      payload: job.payload,
      async takeMore(most) {
        const more = await claims.claimMore(job, most)
        if (more.length === most) wake(job.kind)
        return more
      },
      complete: (db, ids) => claims.complete(db, job, ids),
      postpone: (db, runAt) => claims.postpone(db, job, runAt),
      saveProgress: (db, payload) => claims.saveProgress(db, job, payload),
      stopping,
      async rest() {
        pace?.end()
        await pace?.begin()
      },
      aside: (waiting) => pace?.aside(waiting) ?? waiting,
    }
  }

  async function runOne(): Promise<boolean> {
    const open = groups.filter((group) => !isClosed(group))
    const job = await claims.claim(open.flatMap(({ kinds }) => kinds))
    const group = job && groupOf(job.kind)
    if (!group) return false
    await run(job, group)
    return true
  }

  return {
    start() {
      for (const group of groups) for (let index = 0; index < group.lanes; index++) running.push(lane(group))
    },
    async drain() {
      let count = 0
      while (await runOne()) count++
      return count
    },
    async stop() {
      stopped.abort()
      alarm.stop()
      for (const { sleepers } of groups) for (const wake of sleepers.splice(0)) wake()
      await Promise.all(running)
    },
  }
}
