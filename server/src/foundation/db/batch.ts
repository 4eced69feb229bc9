import { spanContext, type Within } from '../../base/span-context.js'
import { isDefinite, isTransient } from './db.js'

/**
 * Handles the requests of several callers together. A request that finds nothing under way starts at once; those that
 * arrive meanwhile form the next batch. There is no timer, so a lone caller never waits.
 */
export type Batch<Request, Answer> = (request: Request) => Promise<Answer>

/** Answers many requests, in their order. An Error in the result refuses that one request. */
export type WorkOnMany<Request, Answer> = (requests: readonly Request[]) => Promise<readonly (Answer | Error)[]>

interface Waiting<Request, Answer> {
  readonly request: Request
  readonly since: number
  readonly within: Within | undefined
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** What the batches of this process did so far, for the metrics. */
export const batchCounts = { batches: 0, requests: 0, waitedMs: 0 }

/** Large enough to be fast, small enough that nobody waits long for the others. */
const MOST = 256
const ATTEMPTS = 5
/** This many requests do not wait for the batch under way: the next one is prepared while the database works. */
const ENOUGH = 8
const AT_A_TIME = 2

export function createBatch<Request, Answer>(work: WorkOnMany<Request, Answer>, most = MOST): Batch<Request, Answer> {
  let waiting: Waiting<Request, Answer>[] = []
  let underWay = 0
  let isDue = false
  // A caller that was alone is likely to be alone again, so it starts at once; later arrivals are batched.
  let wasAlone = false

  const isTime = () => underWay === 0 || (underWay < AT_A_TIME && waiting.length >= ENOUGH)

  async function run(): Promise<void> {
    underWay++
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    wasAlone = batch.length === 1
    count(batch)
    // A set that starts from the answer to another belongs to the first of its own callers.
    const respond = await (batch[0]?.within?.(() => settle(work, batch)) ?? settle(work, batch))
    const next = () => {
      underWay--
      wasAlone &&= waiting.length === 0
      if (waiting.length === 0 || !isTime()) return respond()
      // Callers get their answers while the database works on the next batch.
      void run()
      setImmediate(respond)
    }
    // Wait one turn for requests that arrived together with the answer, unless the caller is alone.
    if (batch.length === 1 && waiting.length === 0) next()
    else setImmediate(next)
  }

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, since: performance.now(), within: spanContext.keep?.(), resolve, reject })
      if ((waiting.length >= ENOUGH || wasAlone) && isTime()) void run()
      else if (underWay === 0 && !isDue) {
        isDue = true
        // Collect everything that arrives in this turn of the event loop.
        setImmediate(() => {
          isDue = false
          if (waiting.length > 0 && isTime()) void run()
        })
      }
    })
}

function count(batch: readonly { readonly since: number }[]): void {
  const now = performance.now()
  batchCounts.batches++
  batchCounts.requests += batch.length
  for (const { since } of batch) batchCounts.waitedMs += now - since
}

/** Runs a batch; returns the function that gives its callers their answers. */
async function settle<Request, Answer>(
  work: WorkOnMany<Request, Answer>,
  batch: readonly Waiting<Request, Answer>[],
): Promise<() => void> {
  try {
    const answers = await attempt(() => work(batch.map(({ request }) => request)))
    return () => {
      for (const [place, { resolve, reject }] of batch.entries()) {
        const answer = answers[place] as Answer | Error
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
    }
  } catch (error) {
    // One bad request must not fail the others. Repeat only when the database definitely refused: otherwise some requests
    // may have taken effect, and repeating them could apply them twice.
    if (batch.length > 1 && isDefinite(error)) {
      const responses: (() => void)[] = []
      for (const one of batch) responses.push(await settle(work, [one]))
      return () => {
        for (const respond of responses) respond()
      }
    }
    return () => {
      for (const { reject } of batch) reject(error)
    }
  }
}

/** Repeats work that lost a deadlock or a serialization conflict. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await work()
    } catch (error) {
      if (count === ATTEMPTS || !isTransient(error)) throw error
    }
  }
}

/** Runs the work of each key one at a time, in order of arrival; different keys do not wait for each other. */
export interface Lanes {
  run<T>(key: string, work: () => Promise<T>): Promise<T>
}

export function createLanes(): Lanes {
  const last = new Map<string, Promise<unknown>>()
  return {
    run(key, work) {
      const before = last.get(key)
      const mine = before ? before.then(work) : work()
      const ended = mine.then(ignore, ignore)
      last.set(key, ended)
      void ended.then(() => {
        if (last.get(key) === ended) last.delete(key)
      })
      return mine
    },
  }
}

function ignore(): void {}

/** A batch in which the requests of one agent keep their order, across all batches that share the lanes. */
export function createAgentBatch<Request extends { readonly agent: { readonly id: string } }, Answer>(
  lanes: Lanes,
  work: WorkOnMany<Request, Answer>,
): Batch<Request, Answer> {
  const batch = createBatch(work)
  return (request) => lanes.run(request.agent.id, () => batch(request))
}
