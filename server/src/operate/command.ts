import type { Config } from '../config/config.js'
import type { Deps } from '../deps.js'

/** A command of `npm run operate -- <name>`. */
export interface Command {
  readonly name: string
  /** As the usage shows them: `<username>` has to be given, `[kind]` may be. */
  readonly arguments: readonly string[]
  /** As the usage shows them: `--with-wallet`, or `--reason <text>` with a value. All commands have `--json`. */
  readonly options?: readonly string[]
  readonly summary: string
  run(config: Config, args: readonly string[], options: Options): Promise<string | Outcome>
}

/** The options of a command line, by their names without the dashes; without a value: an empty text. */
export type Options = Readonly<Record<string, string>>

/** What a command prints on stdout, and the exit code of the process: a plain string is a success. */
export interface Outcome {
  readonly text: string
  /** What `--json` prints instead; the text as `text` by default. */
  readonly data?: unknown
  readonly exitCode: 0 | 1
}

/** A success, for people and for programs. */
export function answer(data: unknown, text: string): Outcome {
  return { text, data, exitCode: 0 }
}

/** Rows in columns, with a line of titles. */
export function inColumns(titles: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [titles, ...rows].map((row) => row.map(String))
  const widths = titles.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)))
  return lines
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

/** Runs work on everything the service has open. Loaded on demand: that takes a second, which most commands can do without. */
export async function withDeps<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const [{ pino }, { openDeps }] = await Promise.all([import('pino'), import('../start/open-deps.js')])
  // Stdout is for what the command says.
  const deps = await openDeps(config, pino({ level: 'warn' }, pino.destination(2)), { embeddedChain: 'none' })
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
