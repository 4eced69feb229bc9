import { DatabaseError } from 'pg'

/** The database cannot be reached, or gave no answer in time. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  /** The SQLSTATE, if the error came from the database itself. */
  readonly code: string | undefined
  /** Whether the statement may have taken effect anyway, so that repeating it could apply it twice. */
  readonly mayBeDone: boolean
  /** Whether there was no answer at all, rather than an error. */
  readonly isSilence: boolean
  /** Whether the database answers, but takes no writes: a standby that is not promoted yet. */
  readonly isReadOnly: boolean

  constructor(
    message: string,
    more: { cause?: Error; mayBeDone?: boolean; isSilence?: boolean; isReadOnly?: boolean } = {},
  ) {
    super(message, more.cause && { cause: more.cause })
    this.code = more.cause instanceof DatabaseError ? more.cause.code : undefined
    this.mayBeDone = more.mayBeDone ?? false
    this.isSilence = more.isSilence ?? false
    this.isReadOnly = more.isReadOnly ?? this.code === READ_ONLY
  }
}

const READ_ONLY = '25006'

// Lost connections, too many connections, a full disk, a server that stops or starts, a lock or statement timeout, a server
// that takes no writes.
const AWAY = /^(08|53|57P|58)|^(57014|55P03|25P03|25006)$/

// The library's messages for a connection that is lost or cannot be opened; it has no codes for them.
const LOST =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client (has encountered|was closed)|Cannot use a pool)/

// The subsets of those messages that mean no answer came, or that nothing was sent.
const SILENCE = /^(Connection terminated due to connection timeout|timeout exceeded|timeout expired|Query read timeout)/
const NOT_SENT = /^(Connection terminated due to connection timeout|timeout exceeded|Cannot use a pool)/
const NOT_REACHED = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** The error for a server that takes no writes, such as a standby that is not promoted yet. */
export function takesNoWrites(): DatabaseAway {
  return new DatabaseAway('The database takes no writes.', { isReadOnly: true })
}

/** Whether this SQLSTATE means that the database is unavailable. */
export function isAwayCode(code: string): boolean {
  return AWAY.test(code)
}

/** Whether a statement takes effect by itself, or is only part of a transaction. */
export type Step = 'final' | 'intermediate'

/** Turns an error that means an outage into a DatabaseAway; returns other errors unchanged. */
export function toDatabaseAway(error: unknown, step: Step): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseAway) return error
  const isAway =
    error instanceof DatabaseError ? isAwayCode(error.code ?? '') : isNetworkError(error) || LOST.test(error.message)
  if (!isAway) return error
  return new DatabaseAway(`The database does not answer: ${error.message}`, {
    cause: error,
    mayBeDone: step === 'final' && !(error instanceof DatabaseError) && wasSent(error),
    isSilence: SILENCE.test(error.message) || codeOf(error) === 'ETIMEDOUT',
  })
}

function isNetworkError(error: Error): boolean {
  return /^E[A-Z_]+$/.test(codeOf(error))
}

function wasSent(error: Error): boolean {
  return !NOT_SENT.test(error.message) && !NOT_REACHED.includes(codeOf(error))
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Awaits a call of the library and turns an outage into a DatabaseAway. */
export async function mapOutage<T>(work: Promise<T>, step: Step = 'intermediate'): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw toDatabaseAway(error, step)
  }
}
