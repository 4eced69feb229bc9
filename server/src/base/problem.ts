import { type ErrorCode, errors } from '@rookery/api'

/** What is wrong with one field. */
export interface Detail {
  readonly path: string
  readonly message: string
}

/** A failure that is reported to the caller, by its code in the table of errors. The HTTP edge translates it. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly details: readonly Detail[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(
    readonly code: ErrorCode,
    {
      message,
      details,
      retryAfterSeconds,
      cause,
    }: { message?: string; details?: readonly Detail[]; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message ?? errors[code].message, cause === undefined ? undefined : { cause })
    this.details = details
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** Bad input in one named field. */
  static at(path: string, message: string): Problem {
    return new Problem('INVALID_INPUT', {
      message: `${path} ${message}`.replace(/[^?]$/, '$&.'),
      details: [{ path, message }],
    })
  }
}
