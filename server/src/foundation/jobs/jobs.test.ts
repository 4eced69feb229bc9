import sql from 'sql-template-tag'
import { afterAll, afterEach, describe, expect, inject, test, vi } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { recordingDb } from '../../../test/statements/record.js'
import { createJobHandlers, ownLanes } from '../../start/job-handlers.js'
import { claimMoreQuery, claimQuery, createClaims } from './claims.js'
import { createQueue, getQueueState, type JobKind } from './queue.js'
import { retryFailedJobs } from './retry-failed.js'
import { createWorker, type JobHandlers } from './worker.js'

const server = await startServer()
const { db, queue, clock } = server.deps
afterAll(() => server.stop())

type Handler = JobHandlers['delete_expired']

function workerWith(handler: Handler, lanes = 1) {
  const idle = async () => undefined
  const handlers: JobHandlers = {
    ...createJobHandlers(server.deps, server.features),
    delete_expired: handler,
    vacuum_database: idle,
  }
  return createWorker({ db, clock, queue, handlers, lanes, onError: () => {} })
}

const enqueue = (options?: { dedupeKey?: string; runAt?: Date }) => queue.enqueue(db, 'delete_expired', {}, options)

describe('jobs', () => {
  test('run if and only if their transaction commits', async () => {
    let ran = 0
    const worker = workerWith(async () => {
      ran++
      return undefined
    })
    await db.transaction((db) => queue.enqueue(db, 'delete_expired', {}))
    await db
      .transaction(async (db) => {
        await queue.enqueue(db, 'delete_expired', {})
        throw new Error('no')
      })
      .catch(() => {})
    expect(await worker.drain()).toBe(1)
    expect([ran, (await getQueueState({ db, clock })).waiting]).toEqual([1, 0])
  })

  test('of an instance whose clock is ahead are due for other instances too', async () => {
    const ahead = { now: () => new Date(Date.now() + 60 * 60_000) }
    const aheadQueue = createQueue({ clock: ahead, ids: server.deps.ids })
    await aheadQueue.enqueue(db, 'delete_expired', {})
    await aheadQueue.enqueueMany(db, 'delete_expired', [{}])
    const due = await db.one(sql`select count(*)::integer as jobs from job where run_at <= now()`)
    expect(due).toEqual({ jobs: 2 })
    await db.run(sql`delete from job`)
  })

  test('stay with their worker when the clock leaps, because leases end by another', async () => {
    const leaping = { now: () => clock.now() }
    const claims = createClaims({ db, clock: leaping, leaseClock: clock })
    await enqueue()
    const job = await claims.claim(['delete_expired'])
    leaping.now = () => new Date(clock.now().getTime() + 60 * 60_000)
    expect(await claims.claim(['delete_expired'])).toBeUndefined()
    if (job) await claims.remove(job)
    expect((await getQueueState({ db, clock })).waiting).toBe(0)
  })

  test('with the same key are queued once', async () => {
    await Promise.all(Array.from({ length: 5 }, () => enqueue({ dedupeKey: 'only' })))
    expect((await getQueueState({ db, clock })).waiting).toBe(1)
    expect(await workerWith(async () => undefined).drain()).toBe(1)
  })

  test('that are hastened are queued once, and brought forward if they were postponed', async () => {
    const worker = workerWith(async (job) => {
      await job.postpone(db, new Date(clock.now().getTime() + 60 * 60_000))
      return undefined
    })
    const hasten = () => queue.hasten(db, 'delete_expired', [{ key: 'one', payload: {} }])
    await Promise.all([hasten(), hasten()])
    expect([await worker.drain(), await worker.drain()]).toEqual([1, 0])
    await hasten()
    expect([await worker.drain(), await worker.drain()]).toEqual([1, 0])
    await db.run(sql`delete from job`)
  })

  test('are tried again, later each time, and given up in the end', async () => {
    const times: number[] = []
    const worker = workerWith(async () => {
      times.push(clock.now().getTime())
      throw new Error('still broken')
    })
    await enqueue()
    for (let round = 0; round < 12; round++) {
      await worker.drain()
      server.clock.advance(16 * 60_000)
    }
    expect(times).toHaveLength(10)
    expect(await getQueueState({ db, clock })).toMatchObject({ waiting: 0, failed: 1 })
    const { last_error } = await db.one<{ last_error: string }>(sql`select last_error from job`)
    expect(last_error).toBe('still broken')
    expect((await server.client().getHealth()).status).toBe('degraded')
    await db.run(sql`delete from job`)
  })

  test('that have failed for good are retried when the operator says so, once for each key', async () => {
    await db.run(sql`delete from job`)
    for (const _ of [1, 2, 3]) {
      await enqueue({ dedupeKey: 'same' })
      await db.run(sql`update job set failed_at = ${clock.now()}, attempts = 10`)
    }
    await enqueue({ dedupeKey: 'other' })
    await db.run(sql`update job set failed_at = ${clock.now()}, attempts = 10`)
    await enqueue({ dedupeKey: 'other' })
    expect(await retryFailedJobs({ db, clock })).toBe(1)
    expect(await getQueueState({ db, clock })).toMatchObject({ waiting: 2, failed: 0 })
    expect(await workerWith(async () => undefined).drain()).toBe(2)
  })

  test('that cannot be claimed cause one report per outage', async () => {
    let isAway = true
    const complaints: string[] = []
    const flaky: typeof db = {
      ...db,
      find: (query) => (isAway ? Promise.reject(new Error('away')) : db.find(query)),
    }
    const handlers = createJobHandlers(server.deps, server.features)
    const onOutage = (error: Error) => void complaints.push(error.message)
    const worker = createWorker({ db: flaky, clock, queue, handlers, lanes: 2, onError: () => {}, onOutage })
    worker.start()
    await expect.poll(() => complaints.length).toBeGreaterThan(0)
    isAway = false
    await worker.stop()
    expect(complaints).toEqual(['away'])
  })

  test('of a worker that died are continued by the next from the saved progress', async () => {
    await enqueue()
    const dead = workerWith(async (job) => {
      await db.transaction((db) => job.saveProgress(db, { step: 1 } as never))
      return new Promise<undefined>(() => {})
    })
    void dead.drain().catch(() => {})
    const progress = () => db.one<{ payload: unknown }>(sql`select payload from job`)
    await expect.poll(async () => (await progress()).payload).toEqual({ step: 1 })
    const seen: unknown[] = []
    const next = workerWith(async (job) => {
      seen.push(job.payload)
      return undefined
    })
    expect(await next.drain()).toBe(0)
    server.clock.advance(11_000)
    expect(await next.drain()).toBe(1)
    expect(seen).toEqual([{ step: 1 }])
  })

  test('run at their time, and again when the handler says so', async () => {
    const later = new Date(clock.now().getTime() + 60_000)
    await enqueue({ runAt: later })
    let runs = 0
    const worker = workerWith(async () => {
      runs++
      return { again: new Date(clock.now().getTime() + 60_000) }
    })
    expect(await worker.drain()).toBe(0)
    server.clock.advance(61_000)
    expect(await worker.drain()).toBe(1)
    server.clock.advance(61_000)
    expect(await worker.drain()).toBe(1)
    expect(runs).toBe(2)
    await db.run(sql`delete from job`)
  })

  test('are each done by one of several workers, and stopping waits for running jobs', async () => {
    const done: string[] = []
    const handler: Handler = async (job) => {
      await new Promise((resolve) => setImmediate(resolve))
      done.push(job.id)
      return undefined
    }
    const workers = [workerWith(handler, 3), workerWith(handler, 3)]
    for (let index = 0; index < 30; index++) await enqueue()
    for (const worker of workers) worker.start()
    await expect.poll(() => done.length, { timeout: 10_000 }).toBe(30)
    await Promise.all(workers.map((worker) => worker.stop()))
    expect(new Set(done).size).toBe(30)
    await enqueue()
    expect((await getQueueState({ db, clock })).waiting).toBe(1)
  })
})

describe('jobs of a closed lane', () => {
  test('are left untouched until it opens', async () => {
    await db.run(sql`delete from job`)
    await queue.enqueueMany(
      db,
      'embed_tweet',
      Array.from({ length: 5 }, (_, n) => ({ id: String(n) })),
    )
    await enqueue()
    let isAway = true
    const embedded: string[] = []
    const handlers: JobHandlers = {
      ...createJobHandlers(server.deps, server.features),
      delete_expired: async () => undefined,
      async embed_tweet(job) {
        if (isAway) return { again: new Date(clock.now().getTime() + 5_000), lane: true }
        embedded.push(...[job, ...(await job.takeMore(100))].map(({ payload }) => payload.id))
        return undefined
      },
    }
    const worker = createWorker({ db, clock, queue, handlers, ownLanes, lanes: 1, onError: () => {} })
    // One of them, and the job of another lane.
    expect(await worker.drain()).toBe(2)
    const touched = await db.many(sql`select from job where attempts > 0 or lock_id is not null`)
    expect(touched).toHaveLength(1)
    isAway = false
    expect(await worker.drain()).toBe(0)
    server.clock.advance(6_000)
    expect(await worker.drain()).toBe(1)
    expect(embedded.sort()).toEqual(['0', '1', '2', '3', '4'])
  })

  test('are embedded in one set while the vectors of another are stored', async () => {
    const payloads = Array.from({ length: 4 }, (_, n) => ({ id: String(n) }))
    await queue.enqueueMany(db, 'embed_tweet', payloads)
    const sets: string[][] = []
    let haveBoth = () => {}
    const bothClaimed = new Promise<void>((resolve) => {
      haveBoth = resolve
    })
    const handlers: JobHandlers = {
      ...createJobHandlers(server.deps, server.features),
      async embed_tweet(job) {
        sets.push([job, ...(await job.takeMore(1))].map(({ payload }) => payload.id))
        if (sets.length === 2) haveBoth()
        await bothClaimed
        return undefined
      },
    }
    const worker = createWorker({ db, clock, queue, handlers, ownLanes, lanes: 1, onError: () => {} })
    worker.start()
    await bothClaimed
    await worker.stop()
    expect(sets.map(({ length }) => length)).toEqual([2, 2])
    expect(sets.flat().sort()).toEqual(['0', '1', '2', '3'])
    expect((await getQueueState({ db, clock })).waiting).toBe(0)
  })
})

// On PostgreSQL statements overtake each other, so the test could not tell when the worker is quiet.
const isInOrder = inject('engine') === 'embedded'
if (isInOrder)
  describe('sleeping lanes', () => {
    afterEach(() => vi.useRealTimers())

    function sleeper(isAlone: boolean) {
      const sent: string[] = []
      const done: string[] = []
      const handlers: JobHandlers = {
        ...createJobHandlers(server.deps, server.features),
        delete_expired: async ({ id }) => void done.push(id),
        embed_tweet: async ({ id }) => void done.push(id),
      }
      const options = {
        db: recordingDb(db, sent),
        clock,
        queue,
        handlers,
        ownLanes,
        lanes: 4,
        isAlone,
        onError: () => {},
      }
      return { worker: createWorker(options), sent, done }
    }

    /** Waits until no more statements are sent. */
    async function settle(sent: string[]): Promise<void> {
      for (let quiet = 0, lastCount = -1; quiet < 20; quiet = sent.length === lastCount ? quiet + 1 : 0) {
        lastCount = sent.length
        await db.one(sql`select 1 as one`)
        await vi.advanceTimersByTimeAsync(25)
      }
    }

    async function startSleeping(isAlone: boolean) {
      await db.run(sql`delete from job`)
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const sleeping = sleeper(isAlone)
      sleeping.worker.start()
      await settle(sleeping.sent)
      sleeping.sent.length = 0
      return sleeping
    }

    test('send nothing while there is nothing to do and nobody else enqueues', async () => {
      const { worker, sent } = await startSleeping(true)
      await vi.advanceTimersByTimeAsync(60 * 60_000)
      expect(sent).toEqual([])
      await worker.stop()
    })

    test('are woken by new work, only one of them', async () => {
      const { worker, sent, done } = await startSleeping(true)
      await queue.enqueue(db, 'embed_tweet', { id: 'x' })
      await settle(sent)
      expect(done).toHaveLength(1)
      // It was taken and removed; then there was no other, and none to come.
      expect(sent.map((text) => text.trim().split(/\s/)[0])).toEqual(['update', 'delete', 'update', 'select'])
      await worker.stop()
    })

    test('are woken when a job falls due', async () => {
      const { worker, sent, done } = await startSleeping(true)
      await enqueue({ runAt: new Date(clock.now().getTime() + 60_000) })
      await settle(sent)
      expect(done).toHaveLength(0)
      sent.length = 0
      await vi.advanceTimersByTimeAsync(30_000)
      expect(sent).toEqual([])
      server.clock.advance(60_000)
      await vi.advanceTimersByTimeAsync(31_000)
      await settle(sent)
      expect(done).toHaveLength(1)
      await worker.stop()
    })

    test('poll once a second, together, where other processes enqueue', async () => {
      const { worker, sent, done } = await startSleeping(false)
      for (let second = 0; second < 3; second++) {
        await vi.advanceTimersByTimeAsync(1_000)
        await db.one(sql`select 1 as one`)
      }
      expect(sent.length).toBeGreaterThan(0)
      expect(sent.length).toBeLessThanOrEqual(3)
      await db.run(sql`
      insert into job (id, kind, payload, run_at, created_at)
      values (gen_random_uuid(), 'delete_expired', '{}', ${clock.now()}, ${clock.now()})`)
      await vi.advanceTimersByTimeAsync(1_000)
      await settle(sent)
      expect(done).toHaveLength(1)
      await worker.stop()
    })
  })

describe('of twenty thousand jobs', () => {
  test('the next one is found by an index, for the kind with a backlog and for the others', async () => {
    await db.run(sql`delete from job`)
    await db.run(sql`
      insert into job (id, kind, payload, run_at, created_at)
      select gen_random_uuid(), 'embed_tweet', '{}', ${clock.now()}, ${clock.now()} from generate_series(1, 20000)`)
    await enqueue()
    await db.run(sql`analyze job`)
    const [now, lockId] = [clock.now(), '00000000-0000-0000-0000-000000000000']
    const lease = { now, expired: now, until: now, lockId }
    const kinds: JobKind[] = ['delete_expired', 'vacuum_database', 'publish_tweet', 'reembed']
    const kind = 'embed_tweet'
    for (const query of [
      claimQuery(kinds, lease),
      claimQuery([kind], lease),
      claimMoreQuery({ ...lease, kind, most: 127 }),
    ]) {
      const plan = await db.transaction(async (db) => {
        const rows = await db.many<{ 'QUERY PLAN': string }>(sql`explain ${query}`)
        return rows.map((row) => row['QUERY PLAN']).join('\n')
      })
      expect(plan).toContain('job_next')
      expect(plan).not.toContain('Seq Scan')
    }
    await db.run(sql`delete from job`)
  })
})
