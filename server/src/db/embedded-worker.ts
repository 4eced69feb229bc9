import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { PGLiteSocketServer } from '@electric-sql/pglite-socket'

// PostgreSQL compiled to WebAssembly, in a thread of its own so that a long statement never holds up the API.
const { dataDir, socketPath } = workerData as { dataDir: string; socketPath: string }

const database = await PGlite.create({ dataDir })
const server = new PGLiteSocketServer({ db: database, path: socketPath })
await server.start()
parentPort?.postMessage('ready')

parentPort?.once('message', async () => {
  await server.stop()
  await database.close()
  parentPort?.postMessage('closed')
  parentPort?.close()
})
