import cluster, { type Worker } from 'node:cluster'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { openMemoryLimiter } from '../adapters/limiter/open.js'
import { serveLimiter } from '../adapters/limiter/primary.js'
import { systemClock } from '../base/clock.js'
import { createHolds, serveHolds } from '../base/holds.js'
import { createLink, type Link } from '../base/link.js'
import { mergeMetrics } from '../base/merge-metrics.js'
import { type Config, poolShare, processNames, readFresh } from '../config/config.js'
import { HURRY, LEAVE, READY, STOP } from './child.js'
import { announce } from './log.js'

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
// One that lived for so long did not end because of how it starts.
const SOUND_MS = 30_000
const STOP_WITHIN_MS = 15_000
const SCRAPE_WITHIN_MS = 2_000

interface Child {
  readonly name: string
  readonly worker: Worker
  readonly link: Link
  readonly startedAt: number
  readonly ready: Promise<boolean>
  readonly ended: Promise<number>
  isReady: boolean
  /** Whether it was told to go, so that nobody takes its place. */
  isLeaving: boolean
}

/**
 * Starts the processes that serve one port, and keeps them running. This process accepts connections, hands them to the others
 * in turn, counts the limits, and does nothing else. Returns when the first one is ready; the others follow.
 */
export async function startProcesses(given: Config, log: Logger): Promise<void> {
  let config = given
  const children = new Set<Child>()
  const failures = new Map<string, number>()
  const limiter = openMemoryLimiter(systemClock)
  const holds = createHolds()
  let isStopping = false
  let exitCode = 0

  function start(name: string): Child {
    cluster.setupPrimary({ exec: fileURLToPath(new URL('../main.js', import.meta.url)), args: [name] })
    const worker = cluster.fork({
      ROLE: name === 'worker' ? 'worker' : 'web',
      WEB_PROCESSES: '1',
      PORT: String(given.PORT),
      DATABASE_POOL: String(poolShare(config)),
    })
    const link = createLink({
      send: (message) => worker.isConnected() && worker.send(message as object),
      onMessage: (listener) => void worker.on('message', listener),
    })
    const ended = new Promise<number>((resolve) => worker.once('exit', (code) => resolve(code ?? 1)))
    void ended.then(() => link.end())
    const ready = new Promise<boolean>((resolve) => {
      link.on(READY, () => {
        child.isReady = true
        if (isStopping) link.tell(STOP)
        resolve(true)
      })
      void ended.then(() => resolve(false))
    })
    const startedAt = performance.now()
    const child: Child = { name, worker, link, startedAt, ready, ended, isReady: false, isLeaving: false }
    serveLimiter(limiter, link)
    const releaseAll = serveHolds(holds, link)
    link.on('metrics', readMetrics)
    children.add(child)
    worker.on('error', (error) => log.warn({ process: name, message: error.message }, 'a process cannot be reached'))
    void ended.then((code) => {
      releaseAll()
      children.delete(child)
      onEnded(child, code)
    })
    return child
  }

  function onEnded({ name, isLeaving, startedAt, worker }: Child, code: number): void {
    if (isStopping) {
      exitCode ||= code
      if (children.size === 0) process.exit(exitCode)
      return
    }
    if (isLeaving) return
    const failed = performance.now() - startedAt > SOUND_MS ? 0 : (failures.get(name) ?? 0)
    failures.set(name, failed + 1)
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failed, LONGEST_PAUSE_MS)
    log.error(
      { process: name, code, signal: worker.process.signalCode, pauseMs },
      'a process ended; another takes its place',
    )
    void wait(pauseMs).then(() => !isStopping && isWanted(name) && start(name))
  }

  /** Whether a process of this name is missing. */
  const isWanted = (name: string) =>
    processNames(config).includes(name) && ![...children].some((child) => child.name === name && !child.isLeaving)

  async function readMetrics(): Promise<string> {
    const asked = [...children].map(async ({ name, link, isReady, isLeaving }) => {
      if (!isReady || isLeaving) return []
      const text = await Promise.race([link.ask('metrics').catch(() => undefined), wait(SCRAPE_WITHIN_MS)])
      return typeof text === 'string' ? [[name, text] as const] : []
    })
    return mergeMetrics(new Map((await Promise.all(asked)).flat()))
  }

  function stop(why: string): void {
    // Whoever asks again does not want to wait. One that has just started hears signals only.
    for (const { link, isReady, worker } of children)
      if (isReady) link.tell(isStopping ? HURRY : STOP, why)
      else worker.process.kill('SIGTERM')
    if (isStopping) return
    isStopping = true
    if (children.size === 0) process.exit(0)
    setTimeout(() => {
      for (const { worker } of children) worker.process.kill('SIGKILL')
    }, config.DRAIN_MS + STOP_WITHIN_MS).unref()
  }

  function leave(child: Child): void {
    child.isLeaving = true
    // One that has just started hears signals only.
    if (child.isReady) child.link.tell(LEAVE)
    else child.worker.process.kill('SIGTERM')
  }

  /** Replaces one process after the other: each goes only when its successor is ready. */
  async function replaceAll(): Promise<void> {
    config = readFresh(config)
    const wanted = processNames(config)
    for (const name of wanted) {
      const before = [...children].filter((child) => child.name === name && !child.isLeaving)
      for (const child of before) child.isLeaving = true
      const next = start(name)
      if (!(await next.ready)) {
        for (const child of before) child.isLeaving = false
        throw new Error(`${name} did not start; the others stay as they are`)
      }
      for (const child of before) leave(child)
      await Promise.all(before.map(({ ended }) => ended))
      if (isStopping) return
    }
    for (const child of children) if (!wanted.includes(child.name)) leave(child)
  }

  let replacing = Promise.resolve()
  process.on('SIGHUP', () => {
    // From a terminal it means that there is none any more.
    if (process.stdout.isTTY) return stop('SIGHUP')
    replacing = replacing
      .then(() => log.info('every process is replaced'))
      .then(replaceAll)
      .then(() => log.info('every process was replaced'))
      .catch((error: Error) => log.error({ message: error.message }, 'processes were not replaced'))
  })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal))

  const [firstName = 'web-1', ...otherNames] = processNames(config)
  const first = start(firstName)
  // It has said why.
  first.isLeaving = true
  if (!(await first.ready)) process.exit((await first.ended) || 1)
  first.isLeaving = false
  const others = await Promise.all(otherNames.map((name) => start(name).ready))
  if (isStopping) return
  if (others.includes(false)) log.warn('not every process is ready yet')
  announce(config, `Rookery is ready at ${config.webUrl}`)
}
