import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from './options.js'

const PROGRAM = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
const READY = /^Rookery is ready at (\S+)$/m

/** The service in a process of its own. */
export interface Service {
  readonly url: string
  /** Settles when it has ended, whoever ended it. */
  readonly ended: Promise<void>
  stop(): Promise<void>
}

/** Starts the service on a folder of its own; nothing of the environment’s configuration reaches it. */
export async function startService({
  folder,
  port,
  chainPort,
}: {
  folder: string
  port: number
  chainPort: number
}): Promise<Service> {
  if (!existsSync(PROGRAM)) throw new UsageError('The service is not built: run npm run build.')
  const data = resolve(folder)
  await mkdir(data, { recursive: true })
  const child = spawn(process.execPath, [PROGRAM], {
    // A folder without a .env.
    cwd: data,
    env: {
      PATH: process.env.PATH,
      DATA_DIR: data,
      PORT: String(port),
      CHAIN_PORT: String(chainPort),
      LOG_LEVEL: 'error',
      // All members call from one address.
      RATE_LIMIT_READS: '0',
      RATE_LIMIT_WRITES: '0',
      RATE_LIMIT_SEARCHES: '0',
      RATE_LIMIT_REGISTRATIONS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    // Ctrl-C reaches this process alone, which finishes what it is doing before it stops the other.
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const endWithUs = () => child.kill('SIGKILL')
  process.once('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))
  return {
    url: await ready(child, ended),
    ended,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function ready(child: ChildProcess, ended: Promise<void>): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    void ended.then(() => reject(new UsageError(`The service did not start. ${printed}`.trim())))
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const said = READY.exec(printed)
      if (said?.[1]) resolve(said[1])
    })
  })
}
