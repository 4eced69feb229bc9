import { isDefinite, isTransient } from './db.js'

/**
 * Does what several callers ask for at the same moment together. An ask that finds nothing under way starts at once;
 * those that come meanwhile form the next batch. There is no timer, so a lone caller waits for nobody.
 */
export type Batch<Ask, Answer> = (ask: Ask) => Promise<Answer>

/** Answers many asks, each in its place. An Error in a place is the refusal of that ask alone. */
export type WorkOnMany<Ask, Answer> = (asks: readonly Ask[]) => Promise<readonly (Answer | Error)[]>

interface Waiting<Ask, Answer> {
  readonly ask: Ask
  resolve(answer: Answer): void
  reject(error: unknown): void
}

/** Enough to be fast, few enough that nobody waits long for the others. */
const MOST = 256
const ATTEMPTS = 5
/** So many do not wait for the batch that is under way: while the database works on one, the next is made ready. */
const ENOUGH = 8
const AT_A_TIME = 2

export function createBatch<Ask, Answer>(work: WorkOnMany<Ask, Answer>, most = MOST): Batch<Ask, Answer> {
  let waiting: Waiting<Ask, Answer>[] = []
  let underWay = 0
  let isDue = false
  // Whoever was alone is likely to be alone again. It begins at once then, and those that come meanwhile go together.
  let wasAlone = false

  const isTime = () => underWay === 0 || (underWay < AT_A_TIME && waiting.length >= ENOUGH)

  async function run(): Promise<void> {
    underWay++
    const batch = waiting.slice(0, most)
    waiting = waiting.slice(most)
    wasAlone = batch.length === 1
    const tell = await settle(work, batch)
    const next = () => {
      underWay--
      wasAlone &&= waiting.length === 0
      if (waiting.length === 0 || !isTime()) return tell()
      // Callers are told while the database works again.
      void run()
      setImmediate(tell)
    }
    // After what has arrived together with the answer: it goes along. A lone caller has nobody to wait for.
    if (batch.length === 1 && waiting.length === 0) next()
    else setImmediate(next)
  }

  return (ask) =>
    new Promise((resolve, reject) => {
      waiting.push({ ask, resolve, reject })
      if ((waiting.length >= ENOUGH || wasAlone) && isTime()) void run()
      else if (underWay === 0 && !isDue) {
        isDue = true
        // After what has arrived in this turn of the event loop: it goes along.
        setImmediate(() => {
          isDue = false
          if (waiting.length > 0 && isTime()) void run()
        })
      }
    })
}

/** Does what a batch asks for; returns what tells its callers how that ended. */
async function settle<Ask, Answer>(
  work: WorkOnMany<Ask, Answer>,
  batch: readonly Waiting<Ask, Answer>[],
): Promise<() => void> {
  try {
    const answers = await attempt(() => work(batch.map(({ ask }) => ask)))
    return () => {
      for (const [place, { resolve, reject }] of batch.entries()) {
        const answer = answers[place] as Answer | Error
        if (answer instanceof Error) reject(answer)
        else resolve(answer)
      }
    }
  } catch (error) {
    // One bad ask must not take the others down. Unless the database said no, though, some may have been done: then to
    // do them again could do them twice.
    if (batch.length > 1 && isDefinite(error)) {
      const endings: (() => void)[] = []
      for (const one of batch) endings.push(await settle(work, [one]))
      return () => {
        for (const tell of endings) tell()
      }
    }
    return () => {
      for (const { reject } of batch) reject(error)
    }
  }
}

/** Tries again what the database gave up in favour of somebody else. */
async function attempt<T>(work: () => Promise<T>): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await work()
    } catch (error) {
      if (count === ATTEMPTS || !isTransient(error)) throw error
    }
  }
}

/** Lets the work of one key through one at a time, in the order in which it came; keys do not wait for each other. */
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

/** A batch of what agents ask for, in which the asks of one agent keep their order: among all batches of the same lanes. */
export function createAgentBatch<Ask extends { readonly agent: { readonly id: string } }, Answer>(
  lanes: Lanes,
  work: WorkOnMany<Ask, Answer>,
): Batch<Ask, Answer> {
  const batch = createBatch(work)
  return (ask) => lanes.run(ask.agent.id, () => batch(ask))
}
