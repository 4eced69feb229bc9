import { SocialRateLimited, SocialUnavailable } from './social-network.js'

export interface JsonAnswer {
  readonly status: number
  /** The parsed body; undefined for an error without JSON. */
  readonly body: unknown
}

export interface GetJsonOptions {
  readonly now: () => number
  readonly timeoutMs: number
  readonly headers?: Readonly<Record<string, string>>
  /** Origins that an answer may redirect to; none by default. */
  readonly redirectOrigins?: readonly string[]
}

export const DEFAULT_TIMEOUT_MS = 8000

const MAX_BODY_BYTES = 1024 * 1024
const MAX_REDIRECTS = 2
const DEFAULT_RETRY_SECONDS = 60
const MAX_RETRY_SECONDS = 24 * 60 * 60

/** Calls a social network. Returns answers about the requested object, and throws when the network itself fails. */
export async function getJson(url: string, options: GetJsonOptions): Promise<JsonAnswer> {
  // One signal for connecting, headers and body, so that a trickle of bytes cannot hold a request open.
  const signal = AbortSignal.timeout(options.timeoutMs)
  try {
    const response = await follow(url, signal, options)
    await refuseFailures(response, options.now)
    return { status: response.status, body: parseBody(await readBody(response), response.ok) }
  } catch (error) {
    if (error instanceof SocialUnavailable || error instanceof SocialRateLimited) throw error
    const what = signal.aborted ? `gave no answer in ${options.timeoutMs} ms` : 'could not be reached'
    throw new SocialUnavailable(`The social network ${what}`, { cause: error })
  }
}

/** Reads a path of an unvalidated JSON value. */
export function valueAt(json: unknown, ...path: string[]): unknown {
  let value = json
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

export function stringAt(json: unknown, ...path: string[]): string | undefined {
  const value = valueAt(json, ...path)
  return typeof value === 'string' ? value : undefined
}

export function listAt(json: unknown, ...path: string[]): unknown[] {
  const value = valueAt(json, ...path)
  return Array.isArray(value) ? value : []
}

async function follow(url: string, signal: AbortSignal, { headers = {}, redirectOrigins = [] }: GetJsonOptions) {
  let target = url
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await fetch(target, {
      headers: { accept: 'application/json', ...headers },
      redirect: 'manual',
      signal,
    })
    const location = response.headers.get('location')
    if (response.status < 300 || response.status > 399 || location === null) return response
    await response.body?.cancel()
    const next = new URL(location, target)
    if (!redirectOrigins.includes(next.origin)) throw new SocialUnavailable('The social network redirected elsewhere')
    target = next.href
  }
  throw new SocialUnavailable('The social network redirected too often')
}

async function refuseFailures(response: Response, now: () => number): Promise<void> {
  const { status, headers } = response
  // A challenge page of the network's bot protection has the status of a refusal, but is not about the post.
  const challenged = headers.has('cf-mitigated')
  if (status < 500 && status !== 429 && !challenged) return
  await response.body?.cancel()
  if (status === 429) throw new SocialRateLimited(retryAfterSeconds(headers, now))
  throw new SocialUnavailable(`The social network answered ${status}${challenged ? ' with a challenge' : ''}`)
}

function retryAfterSeconds(headers: Headers, now: () => number): number {
  const resetAtSeconds = Number(headers.get('x-rate-limit-reset'))
  const seconds = resetAtSeconds > 0 ? Math.max(1, resetAtSeconds - now() / 1000) : Number(headers.get('retry-after'))
  return seconds > 0 ? Math.min(Math.ceil(seconds), MAX_RETRY_SECONDS) : DEFAULT_RETRY_SECONDS
}

async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Counted after decompression, where a small answer can become a large one.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) throw new SocialUnavailable('The social network answered with too large a body')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function parseBody(text: string, mustBeJson: boolean): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (mustBeJson) throw new SocialUnavailable('The social network answered with malformed JSON', { cause: error })
    return undefined
  }
}
