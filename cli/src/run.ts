import { type ExitCode, exitCodes } from './exit-codes.js'
import { describeFailure, type Failure, failureText } from './failures.js'
import { asksForJson, translateOldNames } from './old-names.js'
import { plainJsonLine } from './plain-text.js'
import { createProgram } from './program.js'
import type { Terminal } from './terminal.js'

/** Runs one command line and returns its exit code. */
export async function run(terminal: Terminal, given: readonly string[]): Promise<ExitCode> {
  const result: { exitCode: ExitCode } = { exitCode: exitCodes.ok }
  const watched: Terminal = {
    ...terminal,
    endWith: (exitCode) => {
      result.exitCode = exitCode
    },
  }
  let asJson = false
  const program = createProgram(watched, { asJson: () => asJson })
  const { words, note } = translateOldNames(program, given)
  asJson = asksForJson(words)
  if (note) terminal.note(note)
  try {
    await program.parseAsync(words, { from: 'user' })
    return result.exitCode
  } catch (error) {
    const failure = describeFailure(error)
    if (failure.exitCode !== exitCodes.ok) tell(terminal, failure, { asJson, error })
    return failure.exitCode
  }
}

function tell(terminal: Terminal, failure: Failure, { asJson, error }: { asJson: boolean; error: unknown }): void {
  if (asJson) terminal.note(`${plainJsonLine({ details: [], ...failure })}\n`)
  // Commander has written its own message by now.
  else if (!(error instanceof Error && error.name === 'CommanderError')) terminal.note(failureText(failure))
}
