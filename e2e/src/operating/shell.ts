import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { findPostgres, serverAccount } from '@rookery/tooling/postgres'
import { ROOT } from './root.js'

export interface Ran {
  readonly code: number | null
  /** What it printed, on either stream. */
  readonly output: string
}

interface How {
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** Runs it under PostgreSQL's account, whose files it makes. */
  readonly isForServer?: boolean
}

/** A shell in which `npm run operate` and `npm run reembed` are those of the built program, as in a folder for production. */
export async function createShell(folder: string): Promise<(text: string, how: How) => Promise<Ran>> {
  await mkdir(join(folder, 'bin'), { recursive: true })
  const npm = `#!/bin/bash
case "$2" in
  operate|reembed) exec ${process.execPath} "${ROOT}server/dist/$2.js" "\${@:4}" ;;
  *) echo "The test knows no npm $*." >&2; exit 127 ;;
esac
`
  await writeFile(join(folder, 'bin', 'npm'), npm, { mode: 0o755 })
  const path = [join(folder, 'bin'), findPostgres(), process.env.PATH].join(':')

  return (text, { env, cwd = folder, isForServer = false }) => {
    const child = spawn('bash', ['-c', `set -e -o pipefail\n${text}`], {
      ...(isForServer && serverAccount()),
      cwd: isForServer ? '/' : cwd,
      env: { PATH: path, HOME: folder, NO_COLOR: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (printed: string) => {
        output += printed
      })
    return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })))
  }
}

/** Lines that set variables, with a command after the last one and before each that sets one again. */
export function withCommand(lines: string, command: string): string {
  const seen = new Set<string>()
  const script = lines.split('\n').flatMap((line) => {
    const [name = ''] = line.split('=')
    const isAgain = seen.has(name)
    seen.add(name)
    return isAgain ? [command, line] : [line]
  })
  return ['set -a', ...script, command].join('\n')
}

/** Somebody who gives one operator's command after the other, in a program that loads the service once. */
export interface Operator {
  /** Runs `npm run operate -- …`, taken apart as a shell does. */
  run(call: string): Promise<Ran>
  leave(): Promise<void>
}

export function createOperator(env: Readonly<Record<string, string>>): Operator {
  const script = fileURLToPath(new URL('operate-many.mjs', import.meta.url))
  const child = spawn(process.execPath, [script], {
    cwd: env.DATA_DIR,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    async run(call) {
      const { stdout } = spawnSync('bash', ['-c', call.replace('npm run operate --', String.raw`printf '%s\0'`)])
      const words = stdout.toString().split('\0').slice(0, -1)
      child.stdin.write(`${JSON.stringify(words)}\n`)
      const { value } = await answers.next()
      return JSON.parse(value ?? '{"code":null,"output":"the program ended"}')
    },
    async leave() {
      child.stdin.end()
      await ended
    },
  }
}
