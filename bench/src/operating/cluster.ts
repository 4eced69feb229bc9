import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { type Front, openFront } from '../chaos/front.js'
import { type Program, startProgram } from '../program/start-program.js'

/** Two web instances and a worker behind a proxy, as docs/operating.md describes. */
export interface Cluster {
  readonly url: string
  /** The first web instance, without the proxy and its time limit. */
  readonly direct: () => string
  /** The running processes: web, web, worker. */
  readonly pids: () => number[]
  /** Stops one process after the other, and starts it again before the next. */
  replaceAll(env?: Readonly<Record<string, string>>): Promise<void>
  stop(): Promise<void>
}

const DRAIN_MS = '1000'
/** Long, because what is measured may be slow. */
export const PATIENCE_MS = 600_000

export async function startCluster(env: Readonly<Record<string, string>>): Promise<Cluster> {
  const ports = await Promise.all([freePort(), freePort()])
  let shared: Record<string, string> = { ...env }
  const start = (index: number) => {
    const port = ports[index]
    const role = port === undefined ? { ROLE: 'worker' } : { ROLE: 'web', PORT: `${port}`, DRAIN_MS }
    return startProgram({ ...shared, ...role }, { readyWithinMs: PATIENCE_MS })
  }
  const programs: Program[] = await Promise.all([0, 1, 2].map(start))
  const front: Front = await openFront(ports)
  return {
    url: front.url,
    direct: () => programs[0]?.url ?? '',
    pids: () => programs.map(({ pid }) => pid),
    async replaceAll(changes = {}) {
      shared = { ...shared, ...changes }
      for (const [index, program] of programs.entries()) {
        await program.stop()
        programs[index] = await start(index)
      }
    },
    async stop() {
      await front.close()
      await Promise.all(programs.map((program) => program.stop()))
    },
  }
}

export const makeSecret = () => randomBytes(32).toString('base64url')

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}
