import type { Generator, LoadResult } from '../load/start-generator.js'
import { backendPids, machineCpuSeconds, watchCpu, withChildren } from '../program/cpu-seconds.js'
import { readJobs, waitUntilQuiet } from '../program/quiet.js'
import type { Target } from './target.js'
import type { Workload } from './workloads.js'

/** One run of one workload on one program. CPU times are microseconds per request. */
export interface Run {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly programCpu: number
  readonly databaseCpu: number
  /** Of the load generator. */
  readonly clientCpu: number
  /** CPU use of everything else on the machine, in percent of one core. */
  readonly elsewherePercent: number
}

/** All runs of a workload with one number of connections. */
export interface Measured {
  readonly workload: string
  readonly connections: number
  /** Runs in the order of their rounds, by the name of the program. */
  readonly runs: Readonly<Record<string, readonly Run[]>>
  /** The highest CPU use just before a run, or of a program not being measured, in percent of a core. */
  readonly idlePercent: number
  /** False if background work did not end in time. */
  readonly isQuiet: boolean
}

/** How long the background work took after writing tweets. */
export interface Backlog {
  readonly workload: string
  readonly target: string
  readonly connections: number
  readonly written: number
  readonly writingSeconds: number
  /** Jobs left when the writing ended, and how long they took. */
  readonly jobs: number
  readonly seconds: number
}

export interface MeasureOptions {
  readonly seconds: number
  readonly rounds: number
  readonly connections: readonly number[]
  readonly waitSeconds: number
  /** Default 5. */
  readonly mostIdlePercent?: number
  log(line: string): void
}

// Far more than are answered in a second.
const WRITES_A_SECOND = 10_000
const READS = 12_000
// Until the program's hot code is compiled: agents never meet a program in its first second.
export const WARM_UP_SECONDS = 5

// The longest first wait, for texts that are embedded and a map that is drawn.
const SEEDED_SECONDS = 180

export class Meter {
  readonly backlogs: Backlog[] = []
  readonly #generator: Generator
  readonly #targets: readonly Target[]
  readonly #options: MeasureOptions

  constructor(generator: Generator, targets: readonly Target[], options: MeasureOptions) {
    this.#generator = generator
    this.#targets = targets
    this.#options = options
  }

  /** Measures one workload with each number of connections, on all programs in turn. */
  async measure(workload: Workload): Promise<Measured[]> {
    const { connections } = this.#options
    await this.#quiet()
    const { warmUpSeconds = WARM_UP_SECONDS } = workload
    for (const target of this.#targets) await this.#load(target, workload, Math.max(...connections), warmUpSeconds)
    const all: Measured[] = []
    for (const count of connections) all.push(await this.#measureAt(workload, count))
    return all
  }

  async #measureAt(workload: Workload, connections: number): Promise<Measured> {
    const runs: Record<string, Run[]> = Object.fromEntries(this.#targets.map(({ name }) => [name, []]))
    let { idlePercent, isQuiet } = await this.#quiet()
    for (let round = 0; round < this.#options.rounds; round++) {
      // The second program finds the machine as the first one left it, so the order alternates from round to round.
      const order = round % 2 === 0 ? this.#targets : [...this.#targets].reverse()
      for (const target of order) {
        if (workload.isWrite && round > 0) {
          const before = await this.#quiet()
          isQuiet &&= before.isQuiet
          idlePercent = Math.max(idlePercent, before.idlePercent)
        }
        const { run, othersPercent } = await this.#runOnce(target, workload, connections)
        runs[target.name]?.push(run)
        idlePercent = Math.max(idlePercent, othersPercent)
      }
    }
    return { workload: workload.name, connections, runs, idlePercent, isQuiet }
  }

  async #runOnce(target: Target, workload: Workload, connections: number) {
    const others = this.#targets.filter((other) => other !== target)
    const waitingBefore = workload.embeds && workload.isWrite ? (await readJobs(target.url)).waiting : 0
    const watches = await Promise.all([
      watchCpu(() => withChildren(target.pid)),
      watchCpu(async () => (target.database ? backendPids(target.database.db) : [])),
      watchCpu(async () => (await Promise.all(others.map(({ pid }) => withChildren(pid)))).flat()),
    ])
    const machineBefore = await machineCpuSeconds()
    const result = await this.#load(target, workload, connections, this.#options.seconds)
    const machine = (await machineCpuSeconds()) - machineBefore
    const [program = 0, database = 0, idle = 0] = await Promise.all(watches.map((read) => read()))
    if (workload.embeds && workload.isWrite)
      await this.#workOff(target, workload.name, connections, result, waitingBefore)
    const each = (seconds: number) => (seconds * 1e6) / result.total
    const percent = (seconds: number) => (seconds / result.seconds) * 100
    const run: Run = {
      perSecond: result.answered / result.seconds,
      p50: result.p50,
      p99: result.p99,
      programCpu: each(program),
      databaseCpu: each(database),
      clientCpu: each(result.cpuSeconds),
      elsewherePercent: percent(Math.max(0, machine - program - database - idle - result.cpuSeconds)),
    }
    return { run, othersPercent: percent(idle) }
  }

  async #load(target: Target, workload: Workload, connections: number, seconds: number): Promise<LoadResult> {
    const { name, isWrite = false, isAnew = isWrite } = workload
    const from = target.used.get(name) ?? 0
    const requests = workload.requests(target.data, from, isWrite ? Math.ceil(seconds * WRITES_A_SECOND) : READS)
    try {
      await target.clearLog()
      const options = { connections, seconds, isOnce: isWrite }
      const result = await this.#generator.load(target.url, requests, options)
      if (isAnew) target.used.set(name, from + result.total)
      return result
    } catch (error) {
      throw new Error(`${name}, ${target.name}: ${(error as Error).message}`)
    }
  }

  async #workOff(
    { name, url }: Target,
    workload: string,
    connections: number,
    result: LoadResult,
    waitingBefore: number,
  ): Promise<void> {
    const startedAt = performance.now()
    const elapsed = () => (performance.now() - startedAt) / 1000
    const jobs = (await readJobs(url)).waiting - waitingBefore
    while ((await readJobs(url)).waiting > waitingBefore && elapsed() < this.#options.waitSeconds)
      await new Promise((resolve) => setTimeout(resolve, 100))
    const { total: written, seconds: writingSeconds } = result
    this.backlogs.push({ workload, target: name, connections, written, writingSeconds, jobs, seconds: elapsed() })
  }

  /** Whether a program has been waited for since it was seeded, which leaves much to do. */
  #isSettled = false

  #quiet() {
    const { waitSeconds, mostIdlePercent = 5, log } = this.#options
    const limitSeconds = this.#isSettled ? waitSeconds : Math.max(waitSeconds, SEEDED_SECONDS)
    this.#isSettled = true
    return waitUntilQuiet(this.#targets, { limitSeconds, mostIdlePercent, log })
  }
}
