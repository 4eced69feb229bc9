import { describeFailure, type ExitCode, exitCodes } from './failures.js'
import { createProgram } from './program.js'
import type { Terminal } from './terminal.js'

/** Runs one command line and returns its exit code. */
export async function run(terminal: Terminal, words: readonly string[]): Promise<ExitCode> {
  try {
    await createProgram(terminal).parseAsync(words, { from: 'user' })
    return exitCodes.ok
  } catch (error) {
    const { exitCode, text } = describeFailure(error)
    terminal.note(text)
    return exitCode
  }
}
