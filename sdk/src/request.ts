import { meantMember } from '@rookery/api'
import type { Call } from './call.js'
import { type ErrorBody, RookeryError } from './errors.js'
import { pause } from './pause.js'
import { requireNoRedirect } from './redirect.js'
import { readRetryAfter, waitBefore } from './retry.js'

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
  /** Called with every successful response and what was called, for logging or checking. */
  readonly onAnswer?: (called: Call, answer: unknown) => void
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

/** Calls an endpoint: distributes the flat input over path, query and body, and retries what is safe to repeat. */
export async function request(
  options: ClientOptions,
  endpoint: Call,
  input: Values,
  call: CallOptions = {},
): Promise<unknown> {
  const { attempts = 3 } = options
  const url = urlOf(options.baseUrl, endpoint, input)
  const init = initOf(options, endpoint, input, call)
  const answer = await repeat(() => send(options, endpoint, url, init, call))
  options.onAnswer?.(endpoint, answer)
  return answer

  async function repeat(attempt: () => Promise<unknown>, n = 1): Promise<unknown> {
    try {
      return await attempt()
    } catch (error) {
      const wait = waitBefore(endpoint, error, n)
      if (n >= attempts || wait === undefined || call.signal?.aborted) throw error
      await pause(wait, call.signal)
      call.signal?.throwIfAborted()
      return repeat(attempt, n + 1)
    }
  }
}

async function send(
  options: ClientOptions,
  endpoint: Call,
  url: string,
  init: RequestInit,
  call: CallOptions,
): Promise<unknown> {
  const timeout = AbortSignal.timeout(options.timeoutMs ?? (endpoint.multipart ? UPLOAD_MS : ANSWER_MS))
  const signal = call.signal ? AbortSignal.any([call.signal, timeout]) : timeout
  const response = await (options.fetch ?? fetch)(url, { ...init, signal, redirect: 'manual' })
  requireNoRedirect(response, url)
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  if (!response.ok) throw await readRefusal(response)
  const answersJson = isJson && (endpoint.media ?? 'application/json') === 'application/json'
  return answersJson ? response.json() : response.text()
}

/** Reads why the server refused a call. */
export async function readRefusal(response: Response): Promise<RookeryError> {
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const unreadable: ErrorBody = {
    code: 'INTERNAL',
    message: `The server answered ${response.status} without saying why.`,
  }
  const body = isJson ? ((await response.json().catch(() => unreadable)) as ErrorBody) : unreadable
  return new RookeryError(response.status, body, readRetryAfter(response.headers.get('retry-after')))
}

export function urlOf(baseUrl: string, endpoint: Pick<Call, 'path' | 'query'>, input: Values): string {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => segmentOf(name, String(input[name])))
  const query = new URLSearchParams()
  for (const name of endpoint.query ?? []) {
    const value = input[name]
    if (value !== undefined && value !== null) query.set(name, String(value))
  }
  return `${baseUrl.replace(/\/$/, '')}${path}${query.size > 0 ? `?${query}` : ''}`
}

// Parsing shortens a path by these however they are encoded, so the call would reach another endpoint.
function segmentOf(name: string, value: string): string {
  if (value !== '.' && value !== '..') return encodeURIComponent(value)
  const message = 'Some of the input is not valid. See details for each field.'
  const details = [{ path: name, message: `“${value}” cannot be part of a path.` }]
  throw new RookeryError(400, { code: 'INVALID_INPUT', message, details }, undefined)
}

function initOf(options: ClientOptions, endpoint: Call, input: Values, call: CallOptions): RequestInit {
  const isWrite = endpoint.method !== 'GET'
  const headers: Record<string, string> = {
    ...headersOf(options),
    ...(isWrite && { 'Idempotency-Key': call.idempotencyKey ?? crypto.randomUUID() }),
  }
  const body = isWrite ? bodyOf(endpoint, input) : undefined
  if (!body) return { method: endpoint.method, headers }
  // For a form, fetch sets the type itself: it contains the boundary between the parts.
  if (endpoint.multipart) return { method: endpoint.method, headers, body: formOf(body) }
  return {
    method: endpoint.method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
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

/**
 * The body of a write. What looks like a member that is missing is sent too, and the service refuses it: without it,
 * something else would happen than is meant. The rest of a wider object is left out.
 */
function bodyOf({ path, query = [], body }: Call, input: Values): Values | undefined {
  if (!body) return undefined
  const missing = body.filter((name) => input[name] === undefined)
  const isElsewhere = (name: string) => query.includes(name) || path.split('/').includes(`:${name}`)
  const isSent = ([name, value]: [string, unknown]) =>
    value !== undefined && (body.includes(name) || (!isElsewhere(name) && meantMember(name, missing) !== undefined))
  return Object.fromEntries(Object.entries(input).filter(isSent))
}
