import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { startThread } from '../thread.js'
import { compileProgram } from './embedded-program.js'
import type { WorkerOptions } from './embedded-worker.js'
import { findImage } from './image.js'

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
}

/** Starts PostgreSQL in a worker thread, keeping its files in `dataDir`. */
export async function startEmbeddedDatabase(
  dataDir: string,
  { image }: EmbeddedOptions = { image: findImage() },
): Promise<EmbeddedDatabase> {
  await mkdir(dataDir, { recursive: true })
  // Not in dataDir: socket paths are limited to about a hundred characters.
  const socketDir = await mkdtemp(join(tmpdir(), 'rookery-db-'))
  const socketPath = join(socketDir, SOCKET_NAME)
  const workerData: WorkerOptions = { dataDir, image, socketPath, program: await compileProgram() }
  const worker = startThread('./embedded-worker.js', import.meta.url, workerData, {
    maxYoungGenerationSizeMb: YOUNG_MB,
  })
  await message(worker, 'ready')
  return {
    socketDir,
    async close() {
      const closed = message(worker, 'closed')
      worker.postMessage('close')
      await closed
      await worker.terminate()
      await rm(socketDir, { recursive: true, force: true })
    },
  }
}

function message(worker: Worker, expected: string): Promise<void> {
  return new Promise((resolve, reject) => {
    worker.on('message', (said) => said === expected && resolve())
    worker.once('error', reject)
    worker.once('exit', (code) => reject(new Error(`The embedded database ended (${code}) before it was ${expected}`)))
  })
}
