import { createServer } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import type { EmbeddedProgram } from './embedded-program.js'
import { bridge } from './protocol-bridge.js'

// PostgreSQL compiled to WebAssembly, in a thread of its own so that a long statement never holds up the API.
const { dataDir, socketPath, program } = workerData as {
  dataDir: string
  socketPath: string
  program: EmbeddedProgram
}

const database = await PGlite.create({ dataDir, extensions: { vector }, pgliteWasmModule: program })
const server = createServer((socket) => bridge(database, socket))
await new Promise<void>((resolve) => server.listen(socketPath, resolve))
parentPort?.postMessage('ready')

parentPort?.once('message', async () => {
  await new Promise((resolve) => server.close(resolve))
  await database.close()
  parentPort?.postMessage('closed')
  parentPort?.close()
})
