import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '@rookery/tooling/random'
import { readFacts } from '../kills/facts.js'
import { Ledger } from '../kills/ledger.js'
import type { Writer } from '../kills/write.js'
import { type Crowd, startClients, writerOf } from './clients.js'
import { faults } from './faults.js'
import { createFindings, type Findings } from './findings.js'
import { startListeners } from './listeners.js'
import { type Gaps, type Probe, startProbe } from './probe.js'
import { buildStage, type Stage, waitUntilUp } from './stage.js'
import { inspectDatabase, judge } from './verdict.js'

export interface ChaosOptions {
  /** After this time no further fault begins. */
  readonly seconds: number
  /** The maximum number of faults. */
  readonly times: number
  /** The same seed gives the same faults, in the same order and for the same time. */
  readonly seed: number
  readonly faults: readonly string[]
  readonly writers: number
  readonly readers: number
  readonly listeners: number
  /** The longest time before a fault is healed. */
  readonly mostHeldMs: number
  /** How long a writer repeats an unanswered call. */
  readonly patienceMs: number
  report(line: string): void
}

/** One fault and its effect on callers. */
export interface Hit {
  readonly fault: string
  readonly target: string | undefined
  readonly heldMs: number
  /** Whether the service recovered. */
  readonly isBack: boolean
  /** Measured from the fault, or from the return of PostgreSQL if the fault took it away. */
  readonly gaps: Gaps
  /** Answers other than success, and how often each occurred. */
  readonly notes: ReadonlyMap<string, number>
}

export interface Verdict {
  readonly hits: readonly Hit[]
  readonly acknowledged: number
  /** Actions with an unknown outcome. */
  readonly open: number
  /** Events that reached listeners. */
  readonly events: number
  /** The longest delay of this process itself, which looks like a service that does not answer. */
  readonly heldUpMs: number
  readonly wrong: readonly string[]
}

const LEAST_HELD_MS = 500
const MOST_PAUSE_MS = 1_000
const BACK_WITHIN_MS = 60_000
const BLOCK_EVERY_MS = 1_000
const SOMEBODY = '0x00000000000000000000000000000000000000ff'

/** Injects one fault after the other while clients write, read and listen, and then checks the data. */
export async function makeChaos(options: ChaosOptions): Promise<Verdict> {
  const findings = createFindings()
  const stage = await buildStage({ findings, disk: options.faults.includes('fill-disk') })
  try {
    return await runOn(stage, findings, options)
  } finally {
    await stage.remove()
  }
}

async function runOn(stage: Stage, findings: Findings, options: ChaosOptions): Promise<Verdict> {
  const { agentIds, tweetIds } = stage.sample
  let number = 0
  const ledger = new Ledger(await inspectDatabase(stage, readFacts))
  const crowd: Crowd = {
    url: stage.front.url,
    ledger,
    field: { agentIds, tweetIds: [...tweetIds], next: () => ++number },
    findings,
    tweets: [],
    acknowledged: 0,
    patienceMs: options.patienceMs,
  }
  const delay = monitorEventLoopDelay()
  delay.enable()
  const listeners = startListeners(stage, options.listeners, findings)
  const clients = startClients(crowd, options)
  const probe = startProbe(crowd, probersOf(crowd, options))
  const blocks = growChain(stage)
  const hits = await makeFaults(stage, probe, findings, options)
  await Promise.all([clients.stop(), probe.stop(), blocks.stop()])
  delay.disable()
  const open = ledger.inFlight
  await judge({ stage, ledger, listeners, findings })
  return {
    hits,
    acknowledged: crowd.acknowledged,
    open,
    events: listeners.reduce((sum, { ids }) => sum + ids.length, 0),
    heldUpMs: delay.max / 1e6,
    wrong: findings.wrong,
  }
}

/** All agents that are not writers. */
function probersOf(crowd: Crowd, { writers, seed }: ChaosOptions): Writer[] {
  const random = createRandom(seed)
  return crowd.field.agentIds.slice(writers).map((_, index) => writerOf(crowd, writers + index, random))
}

async function makeFaults(stage: Stage, probe: Probe, findings: Findings, options: ChaosOptions): Promise<Hit[]> {
  const { seconds, times, seed, mostHeldMs, report } = options
  const random = createRandom(seed)
  const hits: Hit[] = []
  const until = performance.now() + seconds * 1_000
  if (!(await probe.waitUntilSteady(performance.now(), BACK_WITHIN_MS)))
    findings.add('the service does not answer before the first fault')
  for (const name of shuffleInRounds(options.faults, random)) {
    if (hits.length >= times || performance.now() > until || hits.at(-1)?.isBack === false) break
    await wait(random.below(MOST_PAUSE_MS))
    const hit = await makeFault(stage, probe, findings, { name, random, mostHeldMs })
    hits.push(hit)
    report(lineOf(hit, hits.length))
  }
  return hits
}

/** All names in a random order, again and again. */
function* shuffleInRounds(names: readonly string[], random: Random): Generator<string> {
  for (;;) {
    const left = [...names]
    while (left.length > 0) yield* left.splice(random.below(left.length), 1)
  }
}

interface Plan {
  readonly name: string
  readonly random: Random
  readonly mostHeldMs: number
}

async function makeFault(
  stage: Stage,
  probe: Probe,
  findings: Findings,
  { name, random, mostHeldMs }: Plan,
): Promise<Hit> {
  const fault = faults[name]
  if (!fault) throw new Error(`There is no fault called ${name}`)
  // Always drawn, so that the rest of the run does not depend on whether this fault uses it.
  const planned = LEAST_HELD_MS + random.below(Math.max(1, mostHeldMs - LEAST_HELD_MS))
  findings.takeNotes()
  const beganAt = performance.now()
  const { target, heal } = await fault.begin(stage, random)
  if (heal) await wait(planned)
  const heldMs = performance.now() - beganAt
  await heal?.()
  await stage.postgres.start()
  const backAt = performance.now()
  const isBack = (await waitUntilUp(stage, BACK_WITHIN_MS)) && (await probe.waitUntilSteady(backAt, BACK_WITHIN_MS))
  if (!isBack) findings.add(`no service ${BACK_WITHIN_MS / 1000} s after ${name}`)
  const gaps = probe.gapsSince(fault.losesPostgres ? backAt : beganAt)
  return { fault: name, target, heldMs, isBack, gaps, notes: findings.takeNotes() }
}

// Gives the programs blocks to follow.
function growChain({ chain }: Stage): { stop(): Promise<void> } {
  const ending = new AbortController()
  async function run(): Promise<void> {
    while (!ending.signal.aborted) {
      await chain.faucet(SOMEBODY).catch(() => {})
      await wait(BLOCK_EVERY_MS, undefined, ending).catch(() => {})
    }
  }
  const running = run()
  return {
    async stop() {
      ending.abort()
      await running
    },
  }
}

function lineOf({ fault, target, heldMs, gaps, notes }: Hit, number: number): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
  const counted = faults[fault]?.losesPostgres ? ' after PostgreSQL was back' : ''
  const times = `no read for ${seconds(gaps.reads)} and no write for ${seconds(gaps.writes)}${counted}`
  const answers = [...notes].map(([answer, count]) => `${answer} ×${count}`)
  const head = `fault ${number}: ${fault}${target === undefined ? '' : ` (${target})`} for ${seconds(heldMs)}: ${times}`
  return answers.length === 0 ? head : `${head}\n    ${answers.join(', ')}`
}
