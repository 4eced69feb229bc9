import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const PROGRAM = fileURLToPath(new URL('../../server/dist/main.js', import.meta.url))
const PAGE = fileURLToPath(new URL('../../web/dist/index.html', import.meta.url))
const READY = /^(?:Rookery is ready at (\S+)|The Rookery worker is ready)$/m
const READY_WITHIN_MS = 100_000

const DEFAULTS = {
  PORT: '0',
  CHAIN_PORT: '0',
  LOG_LEVEL: 'warn',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_SEARCHES: '0',
  RATE_LIMIT_REGISTRATIONS: '0',
}

export interface ProgramOptions {
  /** Variables beside the defaults: a free port, no rate limits. */
  readonly env?: Readonly<Record<string, string>>
  /** A folder to start on, which then outlives the program. Default: a new one, removed at the end. */
  readonly dataDir?: string
}

/** The compiled program as its operator runs it. */
export interface Program {
  /** Empty for a worker, which listens nowhere. */
  readonly url: string
  readonly dataDir: string
  /** Everything it has printed so far. */
  output(): string
  /** Asks it to stop and waits for that; gives its exit code. */
  stop(): Promise<number | null>
  /** Ends it without warning, as a power cut would. */
  kill(): Promise<void>
}

/** Starts the compiled program in a process of its own and waits until it says that it is ready. */
export async function startProgram({ env = {}, dataDir }: ProgramOptions = {}): Promise<Program> {
  for (const file of [PROGRAM, PAGE]) if (!existsSync(file)) throw new Error(`${file} is missing: run npm run build`)
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'rookery-e2e-')))
  const child = spawn(process.execPath, [PROGRAM], {
    // In a folder without a .env, so that only what stands here counts.
    cwd: folder,
    env: { PATH: process.env.PATH, ...DEFAULTS, DATA_DIR: folder, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  // A test run that is broken off leaves no program behind.
  const endWithTests = () => child.kill('SIGKILL')
  process.once('exit', endWithTests)
  void ended.then(() => process.off('exit', endWithTests))

  async function end(signal: NodeJS.Signals): Promise<number | null> {
    child.kill(signal)
    const code = await ended
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    return code
  }
  const url = await ready(child, ended, () => printed).catch(async (error: unknown) => {
    await end('SIGKILL')
    throw error
  })
  return {
    url,
    dataDir: folder,
    output: () => printed,
    stop: () => end('SIGTERM'),
    kill: async () => void (await end('SIGKILL')),
  }
}

function ready(child: ChildProcess, ended: Promise<number | null>, output: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (what: string) => reject(new Error(`The program ${what}. It printed:\n${output()}`))
    const timer = setTimeout(() => fail('did not become ready'), READY_WITHIN_MS)
    void ended.then((code) => {
      clearTimeout(timer)
      fail(`ended with ${code ?? child.signalCode}`)
    })
    child.stdout?.on('data', () => {
      const said = READY.exec(output())
      if (!said) return
      clearTimeout(timer)
      resolve(said[1] ?? '')
    })
  })
}
