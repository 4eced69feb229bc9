import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { EmbeddedProgram } from './embedded-program.js'
import { placeImage } from './image.js'
import { bridge } from './protocol-bridge.js'

/** What the thread is started with. */
export interface WorkerOptions {
  readonly dataDir: string
  /** The database that a new one begins as. */
  readonly image: string | undefined
  readonly socketPath: string
  readonly program: EmbeddedProgram
}

// The engine touches all of its cache at once. The files are in the cache of the system too, so little is lost.
const SETTINGS = ['-c', 'shared_buffers=32MB']

// PostgreSQL compiled to WebAssembly, in a thread of its own so that a long statement never holds up the API.
const { dataDir, image, socketPath, program } = workerData as WorkerOptions

placeImage(image, dataDir)
const database = await PGlite.create({
  dataDir,
  extensions: { vector },
  pgliteWasmModule: program,
  startParams: [...PGlite.defaultStartParams, ...SETTINGS],
})
// The engine answers its own failures. What it throws instead is the end of it, and of this thread.
const broken = (error: Error) =>
  setImmediate(() => {
    throw error
  })
const server = createServer((socket) => bridge(database, socket, broken))
await new Promise<void>((resolve) => server.listen(socketPath, resolve))
parentPort?.postMessage('ready')

parentPort?.once('message', async () => {
  await new Promise((resolve) => server.close(resolve))
  await database.close()
  parentPort?.postMessage('closed')
  parentPort?.close()
})
