import type { Config } from '../config/config.js'
import type { Deps } from '../deps.js'

/** A command of `npm run operate -- <name>`. */
export interface Command {
  readonly name: string
  /** As the usage shows them: `<username>` has to be given, `[--check]` may be. */
  readonly arguments: readonly string[]
  readonly summary: string
  run(config: Config, args: readonly string[]): Promise<string | Outcome>
}

/** What a command prints on stdout, and the exit code of the process: a plain string is a success. */
export interface Outcome {
  readonly text: string
  readonly exitCode: 0 | 1
}

/** Runs work on everything the service has open. Loaded on demand: that takes a second, which most commands can do without. */
export async function withDeps<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const [{ pino }, { openDeps }] = await Promise.all([import('pino'), import('../start/open-deps.js')])
  const deps = await openDeps(config, pino({ level: 'warn' }), { embeddedChain: 'none' })
  try {
    return await work(deps)
  } finally {
    await deps.close()
  }
}

/** For work that would log a warning: an operator reads it where the command's other messages are. */
export const systemLog = {
  warn(...words: unknown[]) {
    process.stderr.write(`${words.at(-1)}\n`)
  },
}
