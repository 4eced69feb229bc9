import type { Findings } from './findings.js'

export interface ChaosRequest {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly apiKey?: string
  readonly idempotencyKey?: string
  readonly withinMs?: number
}

/** The outcome as far as the client knows it. */
export type Answer =
  | { readonly is: 'done'; readonly body: unknown }
  /** The service may or may not have applied the request. */
  | { readonly is: 'unknown'; readonly isInProgress: boolean }
  | { readonly is: 'refused'; readonly status: number; readonly code: string }

const WITHIN_MS = 10_000

/** Calls the service through the proxy, and notes every answer other than success. */
export async function sendRequest(url: string, request: ChaosRequest, findings: Findings): Promise<Answer> {
  const { method, path, body, apiKey, idempotencyKey, withinMs = WITHIN_MS } = request
  const headers = {
    ...(apiKey !== undefined && { 'X-API-Key': apiKey }),
    ...(body && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
  }
  const init = { method, headers, signal: AbortSignal.timeout(withinMs), ...(body && { body: JSON.stringify(body) }) }
  try {
    const response = await fetch(url + path, init)
    const text = await response.text()
    if (response.ok) return { is: 'done', body: JSON.parse(text) }
    return readRefusal(response, text, findings)
  } catch (error) {
    findings.note((error as Error).name === 'TimeoutError' ? 'no answer in time' : 'cut off')
    return { is: 'unknown', isInProgress: false }
  }
}

function readRefusal({ status, headers }: Response, text: string, findings: Findings): Answer {
  const code = codeOf(text)
  const isInProgress = code === 'IDEMPOTENCY_IN_PROGRESS'
  const hasNoTime = status === 503 && !headers.has('Retry-After')
  findings.note(`${status}${code === '' ? '' : ` ${code}`}${hasNoTime ? ' without Retry-After' : ''}`)
  if (status >= 500 || isInProgress || code === 'IDEMPOTENCY_ANSWER_LOST') return { is: 'unknown', isInProgress }
  return { is: 'refused', status, code }
}

function codeOf(text: string): string {
  try {
    return (JSON.parse(text) as { code?: string }).code ?? ''
  } catch {
    return ''
  }
}
