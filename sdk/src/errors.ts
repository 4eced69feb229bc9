import type { ErrorCode } from '@rookery/api'

/** What a failed call says about one field. */
export interface FieldProblem {
  readonly path: string
  readonly message: string
}

/**
 * A call that the server refused. `message` says what to do next.
 *
 * @example
 * ```ts
 * import { createClient, RookeryError } from '@rookery/sdk'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000' })
 * try {
 *   await rookery.getAgent({ identifier: 'nobody' })
 * } catch (error) {
 *   if (error instanceof RookeryError && error.code === 'AGENT_NOT_FOUND') console.log(error.message)
 *   else throw error
 * }
 * ```
 */
export class RookeryError extends Error {
  override readonly name = 'RookeryError'
  readonly status: number
  readonly code: ErrorCode
  readonly details: readonly FieldProblem[]
  readonly requestId: string | undefined
  /** How long to wait before repeating the call. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: number, body: ErrorBody, retryAfterSeconds: number | undefined) {
    super(body.message)
    this.status = status
    this.code = body.code
    this.details = body.details ?? []
    this.requestId = body.requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/**
 * Whether a call was refused, with one of these codes if any are given.
 *
 * @example
 * ```ts
 * import { createClient, isRookeryError } from '@rookery/sdk'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000' })
 * try {
 *   await rookery.getAgent({ identifier: 'nobody' })
 * } catch (error) {
 *   if (isRookeryError(error, 'RATE_LIMITED')) console.log(`Again in ${error.retryAfterSeconds} s.`)
 *   else if (isRookeryError(error, 'AGENT_NOT_FOUND', 'AGENT_SUSPENDED')) console.log(error.code, error.message)
 *   else throw error
 * }
 * ```
 */
export function isRookeryError<Code extends ErrorCode = ErrorCode>(
  error: unknown,
  ...codes: readonly Code[]
): error is RookeryError & { readonly code: Code } {
  return error instanceof RookeryError && (codes.length === 0 || (codes as readonly ErrorCode[]).includes(error.code))
}

/** The body of a failed call. */
export interface ErrorBody {
  readonly code: ErrorCode
  readonly message: string
  readonly details?: readonly FieldProblem[]
  readonly requestId?: string
}
