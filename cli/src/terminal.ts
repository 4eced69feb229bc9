import { askOnTerminal } from './ask.js'
import type { ExitCode } from './exit-codes.js'
import { createInterrupts } from './interrupts.js'

/** Where a command reads from and writes to. */
export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Whether a person reads the output. */
  readonly isInteractive: boolean
  /** Whether a person reads the notes: then progress is drawn. */
  readonly drawsProgress: boolean
  /** Width of the screen in columns; infinite when there is no screen. */
  readonly columns: number
  /** The answer. */
  write(text: string): void
  /** Everything that is not the answer. */
  note(text: string): void
  readInput(): Promise<string>
  /** Asks the person at the keyboard; undefined when there is none. A secret is not shown while it is typed. */
  ask(question: string, options?: { readonly isSecret?: boolean }): Promise<string | undefined>
  /** Calls back once when Ctrl-C is pressed, which then no longer ends the program; returns a function that undoes it. */
  onInterrupt(stop: () => void): () => void
  /** The exit code of a command that ended without a failure, but not with what was asked for. */
  endWith(exitCode: ExitCode): void
}

export function openTerminal(): Terminal {
  const { stdout, stderr, stdin, env } = process
  // A reader such as `head` may close the pipe before everything is written.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
    process.exit(0)
  })
  return {
    env,
    isInteractive: stdout.isTTY === true,
    drawsProgress: stderr.isTTY === true,
    columns: stdout.columns ?? stderr.columns ?? Number.POSITIVE_INFINITY,
    write: (text) => void stdout.write(text),
    note: (text) => void stderr.write(text),
    async readInput() {
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString('utf8')
    },
    ask: (question, { isSecret = false } = {}) => askOnTerminal(question, isSecret),
    onInterrupt: createInterrupts(process),
    endWith: () => {},
  }
}
