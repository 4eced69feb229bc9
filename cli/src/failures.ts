import { RookeryError } from '@rookery/sdk'
import { CommanderError } from 'commander'
import { oneLine } from './plain-text.js'

/** What the program ends with. */
export const exitCodes = { ok: 0, refused: 1, usage: 2, network: 3, fault: 70 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** The call cannot be made as it was asked for. The message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The server cannot be reached, or what answers is not Rookery. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError'
}

/** What was looked at is not as it should be. */
export class CheckError extends Error {
  override readonly name = 'CheckError'
}

/** A failure in words for stderr, and the exit code that stands for it. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly text: string
}

/** Says what a failure is. Every line of a refusal after the first is about one field, or about what to do next. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof RookeryError) return { exitCode: exitCodes.refused, text: refusal(error) }
  if (error instanceof CheckError) return { exitCode: exitCodes.refused, text: `NOT OK: ${oneLine(error.message)}\n` }
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, text: `USAGE: ${error.message}\n` }
  // Commander has written its own message by now.
  if (error instanceof CommanderError)
    return { exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage, text: '' }
  if (error instanceof NetworkError) return { exitCode: exitCodes.network, text: `NETWORK: ${error.message}\n` }
  if (isBrokenAnswer(error))
    return { exitCode: exitCodes.network, text: 'NETWORK: The answer broke off or came too late. Repeat the call.\n' }
  return { exitCode: exitCodes.fault, text: `FAULT: ${error instanceof Error ? error.stack : String(error)}\n` }
}

function refusal({ code, message, details, status, requestId, retryAfterSeconds }: RookeryError): string {
  const lines = [
    `${code}: ${oneLine(message)}`,
    ...details.map((it) => `  ${oneLine(it.path)}: ${oneLine(it.message)}`),
    ...(retryAfterSeconds === undefined ? [] : [`  Repeat it after ${retryAfterSeconds} s.`]),
    ...(status >= 500 && requestId !== undefined ? [`  Request id: ${oneLine(requestId)}`] : []),
  ]
  return `${lines.join('\n')}\n`
}

function isBrokenAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || error instanceof SyntaxError || error.message === 'terminated'
}
