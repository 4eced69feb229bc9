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
  /** At most so many writes are acknowledged before a kill is on its way. */
  readonly mostWrites: number
  /** After how many kills the database is looked at; the last one counts in any case. */
  readonly lookEvery: number
  /** Whether a last program works off what the killed ones left. */
  readonly worksOff: boolean
  /** The same seed makes the same moments and the same choices. */
  readonly seed: number
  tell(line: string): void
}

/** What came of all the kills. */
export interface Verdict {
  readonly kills: number
  readonly acknowledged: number
  /** Deeds on their way when the program was killed. */
  readonly inFlight: number
  readonly wrong: readonly string[]
}

const MOST_JITTER_MS = 20
const WRITTEN_WITHIN_MS = 60_000
const WORKED_OFF_MS = 120_000

/** Kills the program while agents write, again and again on the same data, until something is wrong or it is enough. */
export async function killAgainAndAgain(options: KillOptions): Promise<Verdict> {
  const ground = await prepareGround(options.engine)
  try {
    return await kill(ground, options)
  } finally {
    await ground.remove()
  }
}

async function kill(ground: Ground, options: KillOptions): Promise<Verdict> {
  const { times, writers: count, mostWrites, lookEvery, worksOff, seed, tell } = options
  const { agentIds, tweetIds } = ground.sample
  const random = createRandom(seed)
  const writers: Writer[] = agentIds.slice(0, count).map((agentId, n) => ({
    agentId,
    apiKey: seededApiKey(SEED, n),
    random: createRandom(seed * 1_000 + n),
  }))
  let number = 0
  const field = { agentIds, tweetIds: [...tweetIds], next: () => ++number }
  const ledger = new Ledger(await ground.look(readFacts))
  const sums = { kills: 0, acknowledged: 0, inFlight: 0 }
  let before: ReadonlyMap<string, unknown> = new Map(ledger.tweets)

  for (let turn = 1; turn <= times; turn++) {
    const program = await ground.start()
    const unserved = await findUnserved(program, ledger, before)
    before = new Map(ledger.tweets)
    const openBefore = ledger.inFlight
    // Writes and not time decide when, so that a slow machine is killed in the middle of the same work.
    const moment = { writes: 1 + random.below(mostWrites), thenMs: random.below(MOST_JITTER_MS) }
    const acknowledged = await killAt(program, moment, (onAcknowledged) =>
      writeUntilKilled(program.url, writers, ledger, { ...field, onAcknowledged }),
    )
    const inFlight = ledger.inFlight - openBefore
    const isLooked = turn === times || turn % lookEvery === 0
    const wrong = [...unserved, ...(isLooked ? await ground.look((pool) => compare(pool, ledger)) : [])]
    sums.kills++
    sums.acknowledged += acknowledged
    sums.inFlight += inFlight
    const found = wrong.length > 0 ? 'WRONG' : isLooked ? 'all there' : 'not looked at yet'
    tell(`kill ${turn} of ${times}: ${acknowledged} writes acknowledged, ${inFlight} in flight, ${found}`)
    if (wrong.length > 0) return { ...sums, wrong }
  }
  return { ...sums, wrong: worksOff ? await checkEnd(ground, ledger, before) : [] }
}

/** Kills the program some milliseconds after so many writes. Returns how many were acknowledged. */
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
  // A refusal ends the writing; it is told when the program is gone.
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

/** Tweets that were acknowledged before the last kill and are not shown after it. */
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

// Jobs of killed programs are taken over, and nothing of them is lost either.
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
  return [...wrong, ...(await ground.look((pool) => compare(pool, ledger)))]
}
