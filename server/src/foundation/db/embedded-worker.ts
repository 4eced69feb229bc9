import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import type { PGlite } from '@electric-sql/pglite'
import type { EmbeddedProgram } from './embedded-program.js'
import { openEngine, placeDatabase } from './engine.js'
import { engineCode } from './engine-code.js'
import { bridge } from './protocol-bridge.js'

/** What the thread is started with. */
export interface WorkerOptions {
  readonly dataDir: string
  /** The database that a new one begins as. */
  readonly image: string | undefined
  readonly socketPath: string
  readonly program: EmbeddedProgram
  /** Whether a database may be made where there is none. */
  readonly mayMake: boolean
}

/** What it tells. */
export type WorkerMessage = 'ready' | 'closed' | { readonly failure: string; readonly code: string | undefined }

// PostgreSQL compiled to WebAssembly, in a thread of its own so that a long statement never holds up the API.
const { dataDir, image, socketPath, program, mayMake } = workerData as WorkerOptions

const say = (message: WorkerMessage) => parentPort?.postMessage(message)

try {
  if (mayMake) await placeDatabase(image, dataDir, program)
  await serve(await openEngine(dataDir, program))
} catch (error) {
  const { message, code } = error as NodeJS.ErrnoException
  say({ failure: message ?? String(error), code: engineCode(error) ?? code })
}

async function serve(database: PGlite): Promise<void> {
  // The engine answers its own failures. What it throws instead is the end of it, and of this thread.
  const broken = (error: Error) =>
    setImmediate(() => {
      throw error
    })
  const server = createServer((socket) => bridge(database, socket, broken))
  await new Promise<void>((resolve) => server.listen(socketPath, resolve))
  say('ready')
  parentPort?.once('message', async () => {
    await new Promise((resolve) => server.close(resolve))
    await database.close()
    say('closed')
    parentPort?.close()
  })
}
