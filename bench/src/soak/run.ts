import { setTimeout as wait } from 'node:timers/promises'
import { createRandom, type Random } from '@rookery/tooling/random'
import { Histogram } from '../load/histogram.js'
import { callAs, createAgents, type Kind, listen, MIX } from './load.js'
import { readSample, type Sample } from './sample.js'

export interface SoakOptions {
  readonly url: string
  readonly minutes: number
  readonly agents: number
  /** Calls a second, over all agents. */
  readonly rate: number
  readonly listeners: number
  readonly seed: number
  readonly signal?: AbortSignal
  onSample?(sample: Sample): void
}

/** A sample with the latency of each kind of call since the last one: its 95th percentile, in milliseconds. */
export interface Period extends Sample {
  readonly latencyMs: Readonly<Record<Kind, number>>
}

export interface SoakResult {
  readonly periods: readonly Period[]
  readonly calls: Readonly<Record<Kind, number>>
  /** Calls that failed, by their message. */
  readonly failures: ReadonlyMap<string, number>
}

const kinds = Object.keys(MIX) as Kind[]
const HELD_MS = 20_000
const SAMPLES = 180
const SHORTEST_PERIOD_MS = 2_000

/** Keeps a service under mixed load, and samples what it uses. */
export async function soak(options: SoakOptions): Promise<SoakResult> {
  const { url, minutes, rate, listeners, seed } = options
  const agents = await createAgents(url, options.agents)
  const random = createRandom(seed)
  const seen: string[] = []
  const totals = Object.fromEntries(kinds.map((kind) => [kind, 0])) as Record<Kind, number>
  const failures = new Map<string, number>()
  let latencies = newHistograms()
  const endsAt = performance.now() + minutes * 60_000
  const isOver = () => performance.now() >= endsAt || options.signal?.aborted === true
  const stop = new AbortController()
  const note = (error: unknown) => {
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    failures.set(message, (failures.get(message) ?? 0) + 1)
  }

  async function work(index: number): Promise<void> {
    const agent = agents[index]
    if (!agent) return
    const pauseMs = (1000 * agents.length) / rate
    await wait(random.next() * pauseMs)
    while (!isOver()) {
      const kind = pickKind(random)
      const startedAt = performance.now()
      await callAs(agent, kind, random, agents, seen).catch(note)
      const tookMs = performance.now() - startedAt
      latencies[kind].add(tookMs * 1000)
      totals[kind] += 1
      await wait(Math.max(0, pauseMs - tookMs))
    }
  }

  const periods: Period[] = []
  async function sample(): Promise<void> {
    const startedAt = performance.now()
    const periodMs = Math.max(SHORTEST_PERIOD_MS, (minutes * 60_000) / SAMPLES)
    while (!isOver()) {
      await wait(Math.min(periodMs, Math.max(0, endsAt - performance.now())))
      const read = await readSample(url, (performance.now() - startedAt) / 1000)
      const latencyMs = Object.fromEntries(kinds.map((kind) => [kind, latencies[kind].quantile(0.95) / 1000]))
      latencies = newHistograms()
      periods.push({ ...read, latencyMs: latencyMs as Record<Kind, number> })
      options.onSample?.(read)
    }
  }

  const listening = agents.slice(0, listeners).map((agent) => listen(agent, stop.signal, HELD_MS).catch(note))
  await Promise.all([sample(), ...agents.map((_, index) => work(index))])
  stop.abort()
  await Promise.all(listening)
  return { periods, calls: totals, failures }
}

function newHistograms(): Record<Kind, Histogram> {
  return Object.fromEntries(kinds.map((kind) => [kind, new Histogram()])) as Record<Kind, Histogram>
}

function pickKind(random: Random): Kind {
  let left = random.below(Object.values(MIX).reduce((sum, weight) => sum + weight, 0))
  for (const kind of kinds) {
    left -= MIX[kind]
    if (left < 0) return kind
  }
  return 'read'
}
