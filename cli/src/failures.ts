import { RookeryError } from '@rookery/sdk'
import { CommanderError } from 'commander'
import { type ExitCode, exitCodeOf, exitCodes } from './exit-codes.js'
import { oneLine } from './plain-text.js'

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
  readonly exitCode: ExitCode

  constructor(message: string, exitCode: ExitCode = exitCodes.refused) {
    super(message)
    this.exitCode = exitCode
  }
}

/** The chain refused a transaction, or reverted it. */
export class ChainError extends Error {
  override readonly name = 'ChainError'
}

/** Stopped with Ctrl-C. The message says what was done by then. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** A failure as data: the body of `--json`, and the exit code. */
export interface Failure {
  readonly exitCode: ExitCode
  readonly code: string
  readonly message: string
  readonly status?: number
  readonly details?: readonly { readonly path: string; readonly message: string }[]
  readonly retryAfterSeconds?: number
  readonly requestId?: string
}

export function describeFailure(error: unknown): Failure {
  if (error instanceof RookeryError) return describeRefusal(error)
  if (error instanceof CheckError) return { exitCode: error.exitCode, code: 'NOT OK', message: oneLine(error.message) }
  if (error instanceof UsageError) return { exitCode: exitCodes.usage, code: 'USAGE', message: error.message }
  if (error instanceof CommanderError)
    return {
      exitCode: error.exitCode === 0 ? exitCodes.ok : exitCodes.usage,
      code: 'USAGE',
      message: error.message.replace(/^error: /, ''),
    }
  if (error instanceof ChainError) return { exitCode: exitCodes.chain, code: 'CHAIN', message: oneLine(error.message) }
  if (error instanceof Interrupted)
    return { exitCode: exitCodes.interrupted, code: 'INTERRUPTED', message: error.message }
  if (error instanceof NetworkError) return { exitCode: exitCodes.network, code: 'NETWORK', message: error.message }
  if (isBrokenAnswer(error))
    return {
      exitCode: exitCodes.network,
      code: 'NETWORK',
      message: 'The response was cut off or timed out. Repeat the call.',
    }
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exitCode: exitCodes.fault, code: 'FAULT', message }
}

/** A failure for people: the first line names it, each of the others is about one field or says what to do next. */
export function failureText({ code, message, status, details = [], retryAfterSeconds, requestId }: Failure): string {
  const lines = [
    `${code}: ${message}`,
    ...details.map((detail) => `  ${oneLine(detail.path)}: ${oneLine(detail.message)}`),
    ...(retryAfterSeconds === undefined ? [] : [`  Repeat the call after ${retryAfterSeconds} s.`]),
    ...(status !== undefined && status >= 500 && requestId !== undefined
      ? [`  Request id: ${oneLine(requestId)}`]
      : []),
  ]
  return `${lines.join('\n')}\n`
}

function describeRefusal(error: RookeryError): Failure {
  const { code, message, details, status, requestId, retryAfterSeconds } = error
  return {
    exitCode: exitCodeOf(error),
    code,
    message: oneLine(message),
    status,
    details,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    ...(requestId !== undefined && { requestId }),
  }
}

function isBrokenAnswer(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'TimeoutError' || error instanceof SyntaxError || error.message === 'terminated'
}
