import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import type { EmbeddedProgram } from './embedded-program.js'
import { openEngine, placeDatabase } from './engine.js'
import { engineCode } from './engine-code.js'
import { bridge } from './protocol-bridge.js'

export interface WorkerOptions {
  readonly dataDir: string
  /** A new database starts as a copy of this one. */
  readonly image: string | undefined
  readonly socketPath: string
  readonly program: EmbeddedProgram
  /** Whether to create a database if there is none. */
  readonly mayMake: boolean
}

export type WorkerMessage = 'ready' | 'closed' | { readonly failure: string; readonly code: string | undefined }

// PostgreSQL compiled to WebAssembly, in a thread of its own so that a long statement never holds up the API.
const { dataDir, image, socketPath, program, mayMake } = workerData as WorkerOptions

const post = (message: WorkerMessage) => parentPort?.postMessage(message)

try {
  if (mayMake) await placeDatabase(image, dataDir, program)
  await serve(await openEngine(dataDir, program))
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  post({ failure: message ?? String(error), code: engineCode(error) ?? code })
}

async function serve(database: PGlite): Promise<void> {
  // The engine answers ordinary failures itself. When it throws instead, it is broken, and this thread ends.
  const broken = (error: Error) =>
    setImmediate(() => {
      throw error
    })
  const server = createServer((socket) => bridge(database, socket, broken))
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  post('ready')
  parentPort?.once('message', async () => {
    await new Promise((resolve) => server.close(resolve))
    await database.close()
    post('closed')
    parentPort?.close()
  })
}
