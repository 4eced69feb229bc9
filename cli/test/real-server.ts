import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { temporaryFolder } from './terminal.js'

const root = join(import.meta.dirname, '..', '..')
const service = join(root, 'server', 'dist', 'main.js')
const entry = join(root, 'cli', 'dist', 'main.js')

const settings = {
  PORT: '0',
  CHAIN_PORT: '0',
  LOG_LEVEL: 'silent',
  RATE_LIMIT_READS: '0',
  RATE_LIMIT_WRITES: '0',
  RATE_LIMIT_SEARCHES: '0',
  RATE_LIMIT_REGISTRATIONS: '0',
}

/** The compiled service in a process of its own. */
export interface RealServer {
  readonly url: string
  stop(): Promise<void>
}

/** Brings the compiled service and command line up to date. Types are checked elsewhere: they stop nothing here. */
export async function compile(): Promise<void> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const child = spawn(process.execPath, [compiler, '-b', join(root, 'server'), join(root, 'cli')], { stdio: 'ignore' })
  await new Promise<void>((resolve) => child.once('close', () => resolve()))
}

/** Starts the compiled service on a folder of its own. */
export async function startRealServer(): Promise<RealServer> {
  const folder = temporaryFolder()
  const env = { PATH: process.env.PATH, ...settings, DATA_DIR: join(folder, 'data') }
  const child = spawn(process.execPath, [service], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await readyAt(child)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
    },
  }
}

function readyAt(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const url = output.match(/Rookery is ready at (\S+)/)?.[1]
      if (url) resolve(url)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', () => reject(new Error(`The server ended before it was ready:\n${output}`)))
  })
}

/** Runs the compiled command line in a process of its own. */
export function runEntry(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<{ exitCode: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, [entry, ...words], {
    cwd: env.HOME,
    env: { PATH: process.env.PATH, ...env },
  })
  child.stdin.end(input)
  let out = ''
  let err = ''
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    err += chunk.toString()
  })
  return new Promise((resolve) => child.once('close', (exitCode) => resolve({ exitCode, out, err })))
}
