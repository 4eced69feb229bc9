import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../usage/command.js'

const PROGRAM = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url))
const READY = /^(?:Rookery is ready at (\S+)|The Rookery worker is ready)$/m
const READY_WITHIN_MS = 60_000

const DEFAULTS = {
  PORT: '0',
  CHAIN_PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_SEARCHES: '0',
  RATE_LIMIT_REGISTRATIONS: '0',
}

/** The compiled program in a process of its own. */
export interface Program {
  /** Empty for a worker, which listens nowhere. */
  readonly url: string
  readonly pid: number
  stop(): Promise<void>
}

/** Starts the program as its operator does, without rate limits, and waits until it says that it is ready. */
export async function startProgram(
  env: Readonly<Record<string, string>>,
  { nodeFlags = [] as readonly string[], file = PROGRAM } = {},
): Promise<Program> {
  if (!existsSync(file)) throw new UsageError('The service is not built: run npm run build.')
  const folder = await mkdtemp(join(tmpdir(), 'rookery-bench-program-'))
  const child = spawn(process.execPath, [...nodeFlags, file], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...DEFAULTS, DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    url: await ready(child, ended),
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function ready(child: ChildProcess, ended: Promise<number | null>): Promise<string> {
  let printed = ''
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`The program ${what}. It printed:\n${printed}`))
    const timer = setTimeout(() => fail('did not become ready'), READY_WITHIN_MS)
    void ended.then((code) => {
      clearTimeout(timer)
      fail(`ended with ${code}`)
    })
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      printed += text
      const said = READY.exec(printed)
      if (!said) return
      clearTimeout(timer)
      resolve(said[1] ?? '')
    })
  })
}
