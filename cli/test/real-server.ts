import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { temporaryFolder } from './terminal.js'

const root = join(import.meta.dirname, '..', '..')
const program = join(root, 'server', 'dist', 'main.js')
const main = join(root, 'cli', 'src', 'main.ts')

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

/** Starts the service on a folder of its own. It is compiled first where it never was. */
export async function startRealServer(): Promise<RealServer> {
  if (!existsSync(program)) {
    const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
    await promisify(execFile)(process.execPath, [compiler, '-b', join(root, 'server')])
  }
  const folder = temporaryFolder()
  const env = { PATH: process.env.PATH, ...settings, DATA_DIR: join(folder, 'data') }
  const child = spawn(process.execPath, [program], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const url = await readyAt(child)
  return {
    url,
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
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

/** Runs the entry of the command line in a process of its own. */
export function runEntry(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<{ exitCode: number | null; out: string; err: string }> {
  const child = spawn(process.execPath, ['--conditions=source', '--import', 'tsx', main, ...words], {
    cwd: root,
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
