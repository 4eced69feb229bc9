import { DatabaseError } from 'pg'

/** The database cannot be asked, or gave no answer in time. */
export class DatabaseAway extends Error {
  override readonly name = 'DatabaseAway'
  /** The SQLSTATE, when the database itself said so. */
  readonly code: string | undefined
  /** Whether what it was asked for may have been done all the same: then to do it again could do it twice. */
  readonly mayBeDone: boolean
  /** Whether there was no answer at all. */
  readonly isSilence: boolean

  constructor(message: string, more: { cause?: Error; mayBeDone?: boolean; isSilence?: boolean } = {}) {
    super(message, more.cause && { cause: more.cause })
    this.code = more.cause instanceof DatabaseError ? more.cause.code : undefined
    this.mayBeDone = more.mayBeDone ?? false
    this.isSilence = more.isSilence ?? false
  }
}

// Lost connections, too many of them, a full disk, a server that stops or starts, a lock or an answer that took too long.
const AWAY = /^(08|53|57P|58)|^(57014|55P03|25P03)$/

// What the library says of a connection that is gone or does not come; it has no codes for that.
const LOST =
  /^(Connection terminated|timeout exceeded|timeout expired|Query read timeout|Client (has encountered|was closed)|Cannot use a pool)/

// Of these, what is said when there was no answer, and what is said before anything was sent.
const SILENCE = /^(Connection terminated due to connection timeout|timeout exceeded|timeout expired|Query read timeout)/
const NOT_SENT = /^(Connection terminated due to connection timeout|timeout exceeded|Cannot use a pool)/
const NOT_REACHED = ['ECONNREFUSED', 'ENOENT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

/** Whether the database said by this SQLSTATE that it is away. */
export function isAwayCode(code: string): boolean {
  return AWAY.test(code)
}

/** What is asked for at a time: something that is done when it is answered, or a step towards that. */
export type Step = 'deed' | 'step'

/** The same failure, or that the database is away when this is what it means. */
export function asAway(error: unknown, step: Step): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseAway) return error
  const isAway =
    error instanceof DatabaseError ? isAwayCode(error.code ?? '') : isOfNetwork(error) || LOST.test(error.message)
  if (!isAway) return error
  return new DatabaseAway(`The database does not answer: ${error.message}`, {
    cause: error,
    mayBeDone: step === 'deed' && !(error instanceof DatabaseError) && wasSent(error),
    isSilence: SILENCE.test(error.message) || codeOf(error) === 'ETIMEDOUT',
  })
}

function isOfNetwork(error: Error): boolean {
  return /^E[A-Z_]+$/.test(codeOf(error))
}

function wasSent(error: Error): boolean {
  return !NOT_SENT.test(error.message) && !NOT_REACHED.includes(codeOf(error))
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** Waits for what the library does, and tells whether the database is away when that fails. */
export async function orAway<T>(work: Promise<T>, step: Step = 'step'): Promise<T> {
  try {
    return await work
  } catch (error) {
    throw asAway(error, step)
  }
}
