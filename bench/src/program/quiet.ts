import { setTimeout as wait } from 'node:timers/promises'
import { spanText } from '../output/span-text.js'
import { cpuSeconds, withChildren } from './cpu-seconds.js'

export interface Watched {
  readonly url: string
  readonly pid: number
}

export interface Quiet {
  /** The programs' CPU use in the last second of waiting, in percent of one core. */
  readonly idlePercent: number
  /** False if the time limit passed first. */
  readonly isQuiet: boolean
}

interface QuietOptions {
  readonly limitSeconds?: number
  /** The highest CPU use that counts as idle, in percent of one core. */
  readonly mostIdlePercent?: number
  log?(line: string): void
}

const TELL_EVERY_MS = 10_000
// What a program does all the time, such as asking for new events, takes more on a busy machine and never ends.
const STEADY_SECONDS = 5
const MOST_STEADY_PERCENT = 40

export interface Jobs {
  readonly waiting: number
  readonly failed: number
  readonly oldestDueSeconds: number
}

/** Reads health instead of the database: the embedded database accepts no second connection. */
export async function readJobs(url: string): Promise<Jobs> {
  const response = await fetch(`${url}/v1/health`)
  if (!response.ok) throw new Error(`/v1/health answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { checks: { jobs: Jobs } }).checks.jobs
}

/** Waits until no job is due and the programs, with their child processes, are idle for a second, or nearly so for some. */
export async function waitUntilQuiet(
  programs: readonly Watched[],
  { limitSeconds = 600, mostIdlePercent = 5, log = () => {} }: QuietOptions = {},
): Promise<Quiet> {
  const startedAt = performance.now()
  let tellAt = startedAt + TELL_EVERY_MS
  let steady = 0
  let first: { readonly at: number; readonly waiting: number } | undefined
  for (;;) {
    const busy = await watchForSecond(programs)
    const jobs = await Promise.all(programs.map(({ url }) => readJobs(url)))
    const idlePercent = Math.max(...busy)
    const isDue = jobs.some(({ oldestDueSeconds }) => oldestDueSeconds > 0)
    steady = isDue || idlePercent > MOST_STEADY_PERCENT ? 0 : steady + 1
    if (!isDue && (idlePercent < mostIdlePercent || steady === STEADY_SECONDS)) return { idlePercent, isQuiet: true }
    const now = performance.now()
    const seen = `${jobs.map(({ waiting }) => waiting).join(' and ')} jobs, ${busy.map((part) => `${part.toFixed(0)} %`).join(' and ')} of a core`
    if (now - startedAt > limitSeconds * 1000) {
      log(`Not quiet after ${limitSeconds} s, continuing anyway: ${seen}`)
      return { idlePercent, isQuiet: false }
    }
    const waiting = jobs.reduce((sum, one) => sum + one.waiting, 0)
    first ??= { at: now, waiting }
    if (now < tellAt) continue
    tellAt = now + TELL_EVERY_MS
    const done = first.waiting - waiting
    const left = isDue && done > 0 ? `, ${spanText(((now - first.at) / 1000 / done) * waiting)} to go` : ''
    log(`Waiting for background work since ${((now - startedAt) / 1000).toFixed(0)} s: ${seen}${left}`)
  }
}

async function watchForSecond(programs: readonly Watched[]): Promise<number[]> {
  const trees = await Promise.all(programs.map(({ pid }) => withChildren(pid)))
  const before = await Promise.all(trees.map(cpuSeconds))
  const startedAt = performance.now()
  await wait(1_000)
  const seconds = (performance.now() - startedAt) / 1000
  const after = await Promise.all(trees.map(cpuSeconds))
  return after.map((time, index) => ((time - (before[index] ?? 0)) / seconds) * 100)
}
