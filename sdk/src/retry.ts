import type { Call } from './call.js'
import { RookeryError } from './errors.js'

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 60_000

/** How long to wait before a failed call is tried again; undefined when that is not safe or does not help. */
export function waitBefore(endpoint: Call, error: unknown, attempt: number): number | undefined {
  const growing = FIRST_WAIT_MS * 2 ** (attempt - 1)
  if (!(error instanceof RookeryError)) return isRepeatable(endpoint) && !isAbort(error) ? growing : undefined
  if (!mayPass(endpoint, error)) return undefined
  const wait = error.retryAfterSeconds === undefined ? growing : error.retryAfterSeconds * 1000
  return wait > LONGEST_WAIT_MS ? undefined : wait
}

function mayPass(endpoint: Call, { status, code }: RookeryError): boolean {
  // Refused before anything was done.
  if (status === 429) return true
  return isRepeatable(endpoint) && (status >= 500 || status === 408 || code === 'IDEMPOTENCY_IN_PROGRESS')
}

// Writes carry an Idempotency-Key, so repeating one does not apply it twice. Those of a browser's session are the exception:
// the service does not keep their answers, since a repeated one would come without its cookies.
function isRepeatable({ method, auth }: Call): boolean {
  return method === 'GET' || auth !== 'browser'
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** Reads a Retry-After header, which is a number of seconds or a date. */
export function readRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\s*\d+\s*$/.test(header)) return Number(header)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
