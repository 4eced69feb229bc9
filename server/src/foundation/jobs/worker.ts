import type { Clock } from '../../base/clock.js'
import type { Db } from '../db/db.js'
import { createAlarm } from './alarm.js'
import { createClaims, type Hand } from './claims.js'
import { createGiveWay, createTraffic, type Pace, type Traffic } from './give-way.js'
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
  takeMore(most: number): Promise<{ readonly id: string; readonly payload: JobPayloads[Kind] }[]>
  /** Removes some of the jobs taken, in the transaction that did their work. */
  complete(db: Db, ids: readonly string[]): Promise<void>
  /**
   * Keeps the job for later, in the transaction that found out when. After `saveProgress` in the same transaction, whoever
   * hastens the job meanwhile waits, and is not overruled.
   */
  postpone(db: Db, runAt: Date): Promise<void>
  /** Gives way to requests between two parts of the work. */
  rest(): Promise<void>
  /** Waits for something that takes nothing away from requests, so that the job need not rest for it. */
  aside<T>(waiting: Promise<T>): Promise<T>
  /** True once the process is stopping: save progress and return; the job is taken up again. */
  readonly stopping: () => boolean
}

/** When a job is to be tried again. With `lane`, its lane has nothing to do before either. */
export interface Again {
  readonly again: Date
  readonly lane?: boolean
}

/** What is done for each kind of job. `again` keeps the job: at a later time, or at once when stopped early. */
export type JobHandlers = {
  readonly [Kind in JobKind]: (job: Job<Kind>) => Promise<undefined | Again>
}

export interface Worker {
  /** Runs everything that is due, here and now. */
  drain(): Promise<number>
  /** Takes no more work and waits for what is in hand. */
  stop(): Promise<void>
}

const RENEW_EVERY_MS = 3_000

interface WorkerOptions {
  readonly db: Db
  readonly clock: Clock
  readonly queue: Queue
  readonly handlers: JobHandlers
  /** Kinds that are worked on by lanes of their own, each one job or set at a time. */
  readonly ownLanes?: readonly OwnLanes[]
  /** How many jobs of all other kinds run at a time. */
  readonly lanes: number
  /** Nobody else enqueues: there is no need to look whether somebody did. */
  readonly isAlone?: boolean
  /** What the work gives way to. */
  readonly traffic?: Pick<Traffic, 'requests'>
  onError(kind: JobKind, error: Error): void
  /** Called when jobs cannot be taken any more, once until they can again. */
  onOutage?(error: Error): void
}

/** Kinds of jobs that no other work waits for, and how many lanes take them. */
export interface OwnLanes {
  readonly kinds: readonly JobKind[]
  readonly lanes: number
  /** Whether a lane takes as many jobs along as there are, so that it needs no help with a few. */
  readonly takesSets: boolean
}

/** Lanes that take jobs of the same kinds. */
interface Group extends OwnLanes {
  readonly newPace: () => Pace
  readonly sleepers: (() => void)[]
  /** Work may have come since a lane last looked. */
  isStirred: boolean
  /** No job of these kinds can be done before. */
  closedUntil: number
}

/** Takes jobs from the table and runs them. With `start` it keeps doing so; without, only `drain` does. */
export function createWorker(options: WorkerOptions): Worker & { start(): void } {
  const { clock, queue, handlers, onError, onOutage, traffic = createTraffic() } = options
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
      const next = await watching(claims.listNext(asleep.flatMap(({ kinds }) => kinds)))
      return next.map(({ kind, at }) => ({ kind, at: Math.max(at.getTime(), groupOf(kind)?.closedUntil ?? 0) }))
    },
    wake,
  })
  queue.onWork(wake)

  // Wakes one lane. If it finds something to do, or more than it can take along, it wakes the next.
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
        stopping() || isClosed(group) ? undefined : await watching(claims.claim(group.kinds)).catch(() => undefined)
      if (job) {
        if (!group.takesSets) wake(job.kind)
        await watching(run(job, group, pace)).catch(() => {})
        pace.end()
      } else if (!group.isStirred && !stopping()) {
        const woken = new Promise<void>((resolve) => group.sleepers.push(resolve))
        alarm.setAnew()
        await woken
      }
    }
  }

  const isClosed = ({ closedUntil }: Group) => closedUntil > clock.now().getTime()

  // Complains of an outage once.
  async function watching<T>(statement: Promise<T>): Promise<T> {
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

  async function run(hand: Hand, group: Group, pace?: Pace): Promise<void> {
    const renewing = setInterval(() => void claims.renew(hand).catch(() => {}), RENEW_EVERY_MS)
    try {
      const outcome = await handlers[hand.kind](inHand(hand, pace) as never)
      if (outcome?.lane) group.closedUntil = outcome.again.getTime()
      await (outcome ? claims.reschedule(hand, outcome.again) : claims.remove(hand))
    } catch (error) {
      onError(hand.kind, error as Error)
      await claims.retryLater(hand, error as Error)
    } finally {
      clearInterval(renewing)
    }
  }

  function inHand(hand: Hand, pace: Pace | undefined): Job {
    return {
      id: hand.id,
      payload: hand.payload,
      async takeMore(most) {
        const more = await claims.claimMore(hand, most)
        if (more.length === most) wake(hand.kind)
        return more
      },
      complete: (db, ids) => claims.complete(db, hand, ids),
      postpone: (db, runAt) => claims.postpone(db, hand, runAt),
      saveProgress: (db, payload) => claims.saveProgress(db, hand, payload),
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
    const hand = await claims.claim(open.flatMap(({ kinds }) => kinds))
    const group = hand && groupOf(hand.kind)
    if (!group) return false
    await run(hand, group)
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
