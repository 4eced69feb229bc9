import { type ExitCode, exitCodes } from '../exit-codes.js'
import { describeFailure } from '../failures.js'

/** One line of the doctor's report. */
export interface Check {
  readonly name: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly found: string
  /** What to do about it. */
  readonly todo?: string
  readonly exitCode: ExitCode
}

export const ok = (name: string, found: string): Check => ({ name, state: 'ok', found, exitCode: exitCodes.ok })

export const warning = (name: string, found: string, todo: string): Check => ({
  name,
  state: 'warning',
  found,
  todo,
  exitCode: exitCodes.ok,
})

export const failed = (name: string, found: string, todo: string, exitCode: ExitCode = exitCodes.refused): Check => ({
  name,
  state: 'failed',
  found,
  todo,
  exitCode,
})

/** Turns whatever a check stumbled over into a failed line. */
export function failedBy(name: string, error: unknown, todo: string): Check {
  const { message, exitCode, code } = describeFailure(error)
  const found = exitCode === exitCodes.fault && error instanceof Error ? error.message : message
  return failed(name, code === 'USAGE' ? found : `${code}: ${found}`, todo, exitCode)
}
