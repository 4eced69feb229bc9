import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../base/thread.js'
import { damagedAt } from '../folder/refusals.js'
import { compileProgram } from './embedded-program.js'
import type { WorkerMessage, WorkerOptions } from './embedded-worker.js'
import { checkEngine } from './engine-version.js'

/** A running embedded database: where to connect, and how to end it. */
export interface EmbeddedDatabase {
  readonly socketDir: string
  close(): Promise<void>
}

// libpq's naming: a client given a directory as host connects to this file in it.
const SOCKET_NAME = '.s.PGSQL.5432'
// The thread makes little garbage; by default twice as much is kept for it.
const YOUNG_MB = 8

export interface EmbeddedOptions {
  /** The database that a new one begins as; without it the engine makes an empty one, which takes seconds. */
  readonly image: string | undefined
  /** Called when the engine broke down; another is being started then. */
  onBreakdown?(error: Error): void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/** Starts PostgreSQL in a worker thread, keeping its files in `dataDir`. When it breaks down it is started again. */
export async function startEmbeddedDatabase(
  dataDir: string,
  { image, onBreakdown = () => {} }: EmbeddedOptions,
): Promise<EmbeddedDatabase> {
  await checkEngine(dataDir)
  // Not in dataDir: socket paths are limited to about a hundred characters.
  const socketDir = await mkdtemp(join(tmpdir(), 'rookery-db-'))
  const socketPath = join(socketDir, SOCKET_NAME)
  const options: WorkerOptions = { dataDir, image, socketPath, program: await compileProgram(), mayMake: true }
  let isClosing = false
  const closing = new AbortController()
  let worker: Worker | undefined = await start(options).catch(async (error: NodeJS.ErrnoException) => {
    await rm(socketDir, { recursive: true, force: true })
    if (error.code !== undefined) throw Object.assign(error, { path: dataDir })
    throw damagedAt(resolve(dataDir), 'database', error.message)
  })
  let restarting: Promise<void> | undefined
  watch()

  function watch(): void {
    worker?.once('exit', () => {
      worker = undefined
      if (!isClosing) restarting = restart()
    })
  }

  // The files are as after a power cut, from which the engine recovers what was committed.
  async function restart(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !isClosing; pause = Math.min(2 * pause, LONGEST_PAUSE_MS)) {
      try {
        worker = await start({ ...options, mayMake: false })
        return watch()
      } catch (error) {
        onBreakdown(error as Error)
        await wait(pause, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  /** A thread with the engine, ready for connections. */
  async function start(workerData: WorkerOptions): Promise<Worker> {
    await rm(socketPath, { force: true })
    const thread = startThread('./embedded-worker.js', import.meta.url, workerData, {
      maxYoungGenerationSizeMb: YOUNG_MB,
    })
    await message(thread, 'ready').catch(async (error: Error) => {
      await thread.terminate()
      throw error
    })
    thread.on('error', onBreakdown)
    return thread
  }

  return {
    socketDir,
    async close() {
      isClosing = true
      closing.abort()
      await restarting
      if (worker) await end(worker)
      await rm(socketDir, { recursive: true, force: true })
    },
  }
}

async function end(worker: Worker): Promise<void> {
  // It may have broken down just now.
  const closed = message(worker, 'closed').catch(() => {})
  worker.postMessage('close')
  await closed
  await worker.terminate()
}

function message(worker: Worker, expected: 'ready' | 'closed'): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (said: WorkerMessage) => {
      if (said === expected) resolve()
      if (typeof said === 'object') reject(Object.assign(new Error(said.failure), { code: said.code }))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the engine ended (${code}) before it was ${expected}`)))
  })
}
