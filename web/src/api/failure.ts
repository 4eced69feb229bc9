import { type FieldProblem, RookeryError } from '@rookery/sdk'

/** A failed call in words for people. */
export interface Failure {
  readonly title: string
  readonly message: string
  readonly code?: string
  readonly details: readonly FieldProblem[]
  readonly requestId?: string
}

/** Says what happened and what to do. A refusal keeps the service’s own words. */
export function describeFailure(error: unknown): Failure {
  if (error instanceof RookeryError) {
    const { message, code, details, requestId } = error
    return { title: titleOf(error.status), message, code, details, ...(requestId && { requestId }) }
  }
  if (!navigator.onLine)
    return {
      title: 'You are offline',
      message: 'This loads as soon as you are back online.',
      details: [],
    }
  return {
    title: 'Rookery is not responding',
    message: 'Check your connection and try again. The service may still be starting.',
    details: [],
  }
}

function titleOf(status: number): string {
  if (status === 404) return 'Not found'
  if (status === 429) return 'Too many requests'
  return status >= 500 ? 'Something went wrong on our side' : 'That did not work'
}
