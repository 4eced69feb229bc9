import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished } from 'vitest'

/** How a program exited, and what it printed. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  /** Everything printed so far. */
  output(): string
  stop(): void
  readonly ended: Promise<Ended>
}

const MAIN = fileURLToPath(new URL('../../../server/dist/main.js', import.meta.url))

/** Makes a temporary folder with these files in it. */
export async function makeFolder(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rookery-start-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

/** Starts a script (by default the service) with exactly this environment. */
export function begin(
  env: Readonly<Record<string, string>>,
  { cwd = tmpdir(), script = MAIN, node = process.execPath, args = [] as readonly string[] } = {},
): Running {
  const child = spawn(node, [script, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  return {
    output: () => stdout + stderr,
    stop: () => void child.kill('SIGTERM'),
    ended: new Promise((done) => child.once('close', (code) => done({ code, stdout, stderr }))),
  }
}

/** Starts the service with a configuration it must refuse, and returns the one sentence it prints. */
export async function startRefused(
  env: Readonly<Record<string, string>>,
  files: Readonly<Record<string, string>> = {},
) {
  const cwd = await makeFolder(files)
  const { code, stderr } = await begin({ PORT: '0', CHAIN_PORT: '0', DATA_DIR: join(cwd, 'data'), ...env }, { cwd })
    .ended
  return sentenceOf({ code, stderr })
}

/** Checks that a program exited with code 1 and printed one line, and returns that line. */
export function sentenceOf({ code, stderr }: Pick<Ended, 'code' | 'stderr'>): string {
  expect([code, stderr.trimEnd().split('\n')]).toEqual([1, [expect.any(String)]])
  return stderr.trimEnd()
}
