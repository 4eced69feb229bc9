import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../../base/thread.js'
import { damagedAtPath } from '../folder/refusals.js'
import { compileProgram } from './embedded-program.js'
import type { WorkerMessage, WorkerOptions } from './embedded-worker.js'
import { checkEngine } from './engine-version.js'

/** A running embedded database. */
export interface EmbeddedDatabase {
  readonly socketDir: string
  close(): Promise<void>
}

// libpq's naming: a client given a directory as host connects to this file in it.
const SOCKET_NAME = '.s.PGSQL.5432'
// The thread makes little garbage, and the default would reserve twice as much.
const YOUNG_MB = 8

export interface EmbeddedOptions {
  /** A new database starts as a copy of this one; without it the engine creates an empty one, which takes seconds. */
  readonly image: string | undefined
  /** Called when the engine breaks down; it is then restarted. */
  onBreakdown?(error: Error): void
}

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000

/** Starts PostgreSQL in a worker thread, with its files in `dataDir`, and restarts it when it breaks down. */
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
    throw damagedAtPath(resolve(dataDir), 'database', error.message)
  })
  let restarting: Promise<void> | undefined
  watch()

  function watch(): void {
    worker?.once('exit', () => {
      worker = undefined
      if (!isClosing) restarting = restart()
    })
  }

  // The files are in the state of a power cut; the engine recovers everything that was committed.
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

  async function start(workerData: WorkerOptions): Promise<Worker> {
    await rm(socketPath, { force: true })
    const thread = startThread('./embedded-worker.js', import.meta.url, workerData, {
      maxYoungGenerationSizeMb: YOUNG_MB,
    })
    await waitForMessage(thread, 'ready').catch(async (error: Error) => {
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
  // The engine may have just broken down.
  const closed = waitForMessage(worker, 'closed').catch(() => {})
  worker.postMessage('close')
  await closed
  await worker.terminate()
}

function waitForMessage(worker: Worker, expected: 'ready' | 'closed'): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (message: WorkerMessage) => {
      if (message === expected) resolve()
      if (typeof message === 'object') reject(Object.assign(new Error(message.failure), { code: message.code }))
    })
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`the engine ended (${code}) before it was ${expected}`)))
  })
}
