import { RookeryError } from '@rookery/sdk'
import { CommanderError } from 'commander'
import { oneLine } from './plain-text.js'

/** Exit codes of the program. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, network: 3, fault: 70 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The command line is wrong. The message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The server cannot be reached, or what answers is not Rookery. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/** A check ran and did not pass. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** The text for stderr, and the exit code. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly text: string
}

/** Describes a failure. In a refusal, each line after the first is about one field or says what to do next. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof RookeryError) return { exitCode: exitCodes.refused, text: describeRefusal(error) }
  if (error instanceof CheckError) return { exitCode: exitCodes.refused, text: `NOT OK: ${oneLine(error.message)}\n` }
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, text: `USAGE: ${error.message}\n` }
  // Commander has written its own message by now.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, text: '' }
  if (error instanceof NetworkError) return { exitCode: exitCodes.network, text: `NETWORK: ${error.message}\n` }
  if (isBrokenAnswer(error))
    return { exitCode: exitCodes.network, text: 'NETWORK: The response was cut off or timed out. Repeat the call.\n' }
  return { exitCode: exitCodes.fault, text: `FAULT: ${error instanceof Error ? error.stack : String(error)}\n` }
}

function describeRefusal({ code, message, details, status, requestId, retryAfterSeconds }: RookeryError): string {
  const lines = [
    `${code}: ${oneLine(message)}`,
    ...details.map((detail) => `  ${oneLine(detail.path)}: ${oneLine(detail.message)}`),
    ...(retryAfterSeconds === undefined ? [] : [`  Repeat the call after ${retryAfterSeconds} s.`]),
    ...(status >= 500 && requestId !== undefined ? [`  Request id: ${oneLine(requestId)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function isBrokenAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || error instanceof SyntaxError || error.message === 'terminated'
}
