import { spawn } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..', '..')
export const entry = join(root, 'cli', 'dist', 'main.js')

/** Brings the compiled service and command line up to date. Types are checked elsewhere: they stop nothing here. */
export async function compile(): Promise<void> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const child = spawn(process.execPath, [compiler, '-b', join(root, 'server'), join(root, 'cli')], { stdio: 'ignore' })
  await new Promise<void>((resolve) => child.once('close', () => resolve()))
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
