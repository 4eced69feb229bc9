import { setTimeout as wait } from 'node:timers/promises'
import { createRandom } from '@rookery/tooling/random'
import type { Pool } from 'pg'
import { readJobs } from '../program/quiet.js'
import type { Program } from '../program/start-program.js'
import { seededApiKey } from '../seed/people.js'
import { readFacts, recount } from './facts.js'
import { type Engine, type Ground, prepareGround, SEED } from './ground.js'
import { Ledger } from './ledger.js'
import { type Writer, writeUntilKilled } from './write.js'

export interface KillOptions {
  readonly engine: Engine
  readonly times: number
  readonly writers: number
  /** The maximum number of acknowledged writes before a kill. */
  readonly mostWrites: number
  /** After how many kills the database is inspected; it always is after the last one. */
  readonly inspectEvery: number
  /** Whether a last program finishes the jobs of the killed ones. */
  readonly finishesJobs: boolean
  /** The same seed gives the same moments and the same choices. */
  readonly seed: number
  report(line: string): void
}

export interface Verdict {
  readonly kills: number
  readonly acknowledged: number
  /** Actions in flight when the program was killed. */
  readonly inFlight: number
  readonly wrong: readonly string[]
}

const MOST_JITTER_MS = 20
const WRITTEN_WITHIN_MS = 60_000
const WORKED_OFF_MS = 120_000

/** Kills the program while agents write, repeatedly on the same data, and stops early when something is wrong. */
export async function killRepeatedly(options: KillOptions): Promise<Verdict> {
  const ground = await prepareGround(options.engine)
  try {
    return await kill(ground, options)
  } finally {
    await ground.remove()
  }
}

async function kill(ground: Ground, options: KillOptions): Promise<Verdict> {
  const { times, writers: count, mostWrites, inspectEvery, finishesJobs, seed, report } = options
  const { agentIds, tweetIds } = ground.sample
  const random = createRandom(seed)
  const writers: Writer[] = agentIds.slice(0, count).map((agentId, n) => ({
    agentId,
    apiKey: seededApiKey(SEED, n),
    random: createRandom(seed * 1_000 + n),
  }))
  let number = 0
  const field = { agentIds, tweetIds: [...tweetIds], next: () => ++number }
  const ledger = new Ledger(await ground.inspect(readFacts))
  const sums = { kills: 0, acknowledged: 0, inFlight: 0 }
  let before: ReadonlyMap<string, unknown> = new Map(ledger.tweets)

  for (let turn = 1; turn <= times; turn++) {
    const program = await ground.start()
    const unserved = await findUnserved(program, ledger, before)
    before = new Map(ledger.tweets)
    const openBefore = ledger.inFlight
    // The number of writes decides when, not time, so that a slow machine is killed in the middle of the same work.
    const moment = { writes: 1 + random.below(mostWrites), thenMs: random.below(MOST_JITTER_MS) }
    const acknowledged = await killAt(program, moment, (onAcknowledged) =>
      writeUntilKilled(program.url, writers, ledger, { ...field, onAcknowledged }),
    )
    const inFlight = ledger.inFlight - openBefore
    const isInspected = turn === times || turn % inspectEvery === 0
    const wrong = [...unserved, ...(isInspected ? await ground.inspect((pool) => compare(pool, ledger)) : [])]
    sums.kills++
    sums.acknowledged += acknowledged
    sums.inFlight += inFlight
    const found = wrong.length > 0 ? 'WRONG' : isInspected ? 'all there' : 'not inspected yet'
    report(`kill ${turn} of ${times}: ${acknowledged} writes acknowledged, ${inFlight} in flight, ${found}`)
    if (wrong.length > 0) return { ...sums, wrong }
  }
  return { ...sums, wrong: finishesJobs ? await checkEnd(ground, ledger, before) : [] }
}

/** Kills the program some milliseconds after a number of writes. Returns how many were acknowledged. */
async function killAt(
  program: Program,
  { writes, thenMs }: { readonly writes: number; readonly thenMs: number },
  write: (onAcknowledged: () => void) => Promise<void>,
): Promise<number> {
  let acknowledged = 0
  let reached = () => {}
  const enough = new Promise<void>((resolve) => {
    reached = resolve
  })
  const writing = write(() => {
    if (++acknowledged === writes) reached()
  })
  // A refusal ends the writing; awaiting `writing` below reports it.
  writing.catch(reached)
  const giveUp = new AbortController()
  await Promise.race([enough, wait(WRITTEN_WITHIN_MS, undefined, giveUp).catch(() => {})])
  giveUp.abort()
  await wait(thenMs)
  await program.kill()
  await writing
  return acknowledged
}

async function compare(pool: Pool, ledger: Ledger): Promise<string[]> {
  return [...ledger.settle(await readFacts(pool)), ...(await recount(pool))]
}

/** Finds tweets that were acknowledged before the last kill and are not shown after it. */
async function findUnserved({ url }: Program, ledger: Ledger, before: ReadonlyMap<string, unknown>): Promise<string[]> {
  const wrong: string[] = []
  for (const [content, { id }] of ledger.tweets) {
    if (before.has(content)) continue
    const response = await fetch(`${url}/v1/tweets/${id}`)
    const shown = (await response.json()) as { content?: string }
    if (shown.content !== content) wrong.push(`not shown: the tweet "${content}", status ${response.status}`)
  }
  return wrong
}

// The next program must take over the jobs of killed ones and lose none of them.
async function checkEnd(ground: Ground, ledger: Ledger, before: ReadonlyMap<string, unknown>): Promise<string[]> {
  const program = await ground.start()
  const wrong = await findUnserved(program, ledger, before)
  const startedAt = performance.now()
  for (;;) {
    const { failed, oldestDueSeconds } = await readJobs(program.url)
    if (failed > 0) wrong.push(`failed: ${failed} jobs`)
    if (failed > 0 || oldestDueSeconds === 0) break
    if (performance.now() - startedAt > WORKED_OFF_MS) {
      wrong.push(`the background work did not end within ${WORKED_OFF_MS / 1000} s`)
      break
    }
    await wait(100)
  }
  await program.stop()
  return [...wrong, ...(await ground.inspect((pool) => compare(pool, ledger)))]
}
