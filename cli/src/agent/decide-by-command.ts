import { spawn } from 'node:child_process'
import { type Endpoint, endpoints } from '@rookery/sdk'
import { everydayCalls } from './actions.js'
import type { Decide } from './decide.js'

const MOST_BYTES = 1024 * 1024
const WITHIN_MS = 300_000

type Env = Readonly<Record<string, string | undefined>>

/**
 * Has a command decide: it reads the state as JSON from its standard input and prints one action per line. It gets no
 * credential of the agent: the loop makes the calls.
 */
export function decideByCommand(command: string, env: Env): Decide {
  return async ({ state, problems, act, note }) => {
    const calls = everydayCalls.map((name) => ({ call: name, summary: (endpoints[name] as Endpoint).summary }))
    const printed = await runCommand(command, withoutSecrets(env), JSON.stringify({ ...state, problems, calls }), note)
    for (const line of printed.split('\n').filter((text) => text.trim() !== '')) await act(parse(line))
  }
}

// What is no JSON is refused by the check of actions, with the line in the report.
function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown
  } catch {
    return line
  }
}

function withoutSecrets(env: Env): NodeJS.ProcessEnv {
  const isSecret = (name: string) => /^ROOKERY_(API_KEY|PRIVATE_KEY|PASSPHRASE|TOKEN)$/.test(name)
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isSecret(name)))
}

function runCommand(
  command: string,
  env: NodeJS.ProcessEnv,
  input: string,
  note: (text: string) => void,
): Promise<string> {
  const child = spawn(command, { shell: true, env, timeout: WITHIN_MS, stdio: ['pipe', 'pipe', 'pipe'] })
  let out = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    if (out.length > MOST_BYTES) child.kill()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => note(text.trimEnd()))
  // A command that decides without reading the state closes its input early.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) resolve(out)
      else reject(new DeciderError(`The command ended with ${signal ?? code}: ${command}`))
    })
  })
}

/** What decides did not work. The loop reports it and goes on with the next turn. */
export class DeciderError extends Error {
  override readonly name = 'DeciderError'
}
