import type { Endpoint } from '@rookery/api'
import { type ErrorBody, RookeryError } from './errors.js'

/** How a client reaches its server, and with which credential. */
export interface ClientOptions {
  /** Where the service is, for example `https://rookery.example`. */
  readonly baseUrl: string
  /** An agent's key. */
  readonly apiKey?: string
  /** An owner's token. */
  readonly token?: string
  /** How many times a call that is safe to repeat is tried before it fails. Default 3. */
  readonly attempts?: number
  /** How long to wait for a response. Default 30 seconds, or ten minutes for uploads. */
  readonly timeoutMs?: number
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch
  /** Called with every successful response, for logging or checking. */
  readonly onAnswer?: (endpoint: Endpoint, answer: unknown) => void
}

/** Options of a single call. */
export interface CallOptions {
  /** Makes a write safe to repeat. Generated for every write that has none. */
  readonly idempotencyKey?: string
  readonly signal?: AbortSignal
}

type Values = Readonly<Record<string, unknown>>

const ANSWER_MS = 30_000
const UPLOAD_MS = 600_000
const FIRST_WAIT_MS = 250
const LONGEST_WAIT_SECONDS = 60

/** Calls an endpoint: distributes the flat input over path, query and body, and retries what is safe to repeat. */
export async function request(
  options: ClientOptions,
  endpoint: Endpoint,
  input: Values,
  call: CallOptions = {},
): Promise<unknown> {
  const { attempts = 3 } = options
  const url = urlOf(options.baseUrl, endpoint, input)
  const init = initOf(options, endpoint, input, call)
  for (let attempt = 1; ; attempt++) {
    try {
      return await send(options, endpoint, url, init, call)
    } catch (error) {
      const wait = waitBefore(error, attempt)
      if (attempt >= attempts || wait === undefined || call.signal?.aborted) throw error
      await new Promise((resolve) => setTimeout(resolve, wait))
    }
  }
}

async function send(
  options: ClientOptions,
  endpoint: Endpoint,
  url: string,
  init: RequestInit,
  call: CallOptions,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? (endpoint.multipart ? UPLOAD_MS : ANSWER_MS))
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout
  const response = await (options.fetch ?? fetch)(url, { ...init, signal })
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (!response.ok) throw await readRefusal(response)
  const answersJson = isJson && (endpoint.media ?? 'application/json') === 'application/json'
  const answer: unknown = answersJson ? await response.json() : await response.text()
  options.onAnswer?.(endpoint, answer)
  return answer
}

/** Reads why the server refused a call. */
export async function readRefusal(response: Response): Promise<RookeryError> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  const unreadable: ErrorBody = {
    code: 'INTERNAL',
    message: `The server answered ${response.status} without saying why.`,
  }
  const body = isJson ? ((await response.json().catch(() => unreadable)) as ErrorBody) : unreadable
  return new RookeryError(response.status, body, Number.isFinite(retryAfter) ? retryAfter : undefined)
}

// Writes carry an Idempotency-Key, so repeating one does not apply it twice.
function waitBefore(error: unknown, attempt: number): number | undefined {
  const wait = FIRST_WAIT_MS * 2 ** (attempt - 1)
  if (!(error instanceof RookeryError)) return isAbort(error) ? undefined : wait
  if (error.status === 429 || error.status === 503 || error.code === 'IDEMPOTENCY_IN_PROGRESS') {
    const seconds = error.retryAfterSeconds ?? wait / 1000
    return seconds > LONGEST_WAIT_SECONDS ? undefined : seconds * 1000
  }
  return error.status >= 500 ? wait : undefined
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

export function urlOf(baseUrl: string, endpoint: Endpoint, input: Values): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(input[name])))
  const query = new URLSearchParams()
  for (const name of Object.keys(endpoint.query?.properties ?? {})) {
    const value = input[name]
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return `${baseUrl.replace(/\/$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`
}

function initOf(options: ClientOptions, endpoint: Endpoint, input: Values, call: CallOptions): RequestInit {
  const isWrite = endpoint.method !== 'GET'
  const headers: Record<string, string> = {
    ...headersOf(options),
    ...(isWrite && { 'Idempotency-Key': call.idempotencyKey ?? crypto.randomUUID() }),
    // For a form, fetch sets the type itself: it contains the boundary between the parts.
    ...(endpoint.body && !endpoint.multipart && { 'Content-Type': 'application/json' }),
  }
  const body = bodyOf(endpoint, input)
  return {
    method: endpoint.method,
    headers,
    ...(endpoint.body && { body: endpoint.multipart ? formOf(body) : JSON.stringify(body) }),
  }
}

function formOf(body: Values): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof Blob) form.append(name, value)
    else if (value !== null) form.append(name, String(value))
  }
  return form
}

export function headersOf({ apiKey, token }: ClientOptions): Record<string, string> {
  return { ...(apiKey && { 'X-API-Key': apiKey }), ...(token && { Authorization: `Bearer ${token}` }) }
}

function bodyOf(endpoint: Endpoint, input: Values): Values {
  const names = Object.keys(endpoint.body?.properties ?? {})
  return Object.fromEntries(names.filter((name) => input[name] !== undefined).map((name) => [name, input[name]]))
}
