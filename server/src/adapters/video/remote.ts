import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Making, type MakingOptions, type VideoMaker, VideoRefused, VideoUnavailable } from './video-maker.js'

export interface RemoteOptions {
  /** The base URL of the provider. */
  readonly url: string
  readonly apiKey?: string | undefined
  readonly now: () => number
  readonly timeoutMs?: number
  /** How long one download may take. */
  readonly downloadMs?: number
  readonly maxBytes: number
}

const POLL_MS = 3_000
const MAX_BODY_BYTES = 256 * 1024
const MAX_RETRY_SECONDS = 600
const MAX_ERROR_LETTERS = 300

/** A provider of generated video: a job is submitted and polled, and its result downloaded. docs/media.md has the protocol. */
export function createRemoteMaker(options: RemoteOptions): VideoMaker {
  const { now, timeoutMs = 20_000, downloadMs = 10 * 60_000 } = options
  const base = options.url.replace(/\/+$/, '')
  const closing = new AbortController()
  const headers = { accept: 'application/json', ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }) }

  async function request(method: 'GET' | 'POST' | 'DELETE', path: string, more: { id?: string; body?: object } = {}) {
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const response = await fetch(`${base}${path}`, {
        method,
        redirect: 'error',
        signal,
        headers: {
          ...headers,
          ...(more.id && { 'idempotency-key': more.id }),
          ...(more.body && { 'content-type': 'application/json' }),
        },
        ...(more.body && { body: JSON.stringify(more.body) }),
      })
      if (!response.ok) throw await failureOf(response, now)
      return await readJson(response)
    } catch (error) {
      if (error instanceof VideoRefused || error instanceof VideoUnavailable) throw error
      const what = signal.aborted ? `gave no answer in ${timeoutMs} ms` : 'could not be reached'
      throw new VideoUnavailable(`The video provider ${what}`, { cause: error })
    }
  }

  async function follow(answer: Answer, { target, signal }: MakingOptions): Promise<Making> {
    const { id, status, progress = 0 } = answer
    if (status === 'failed') throw new VideoRefused(reasonOf(answer))
    if (status !== 'completed')
      return { isDone: false, askAgainMs: POLL_MS, providerId: id, progress: wholePercent(progress) }
    await download(answer, target, signal)
    return { isDone: true }
  }

  async function download({ url }: Answer, target: string, stop: AbortSignal): Promise<void> {
    const signal = AbortSignal.any([stop, closing.signal, AbortSignal.timeout(downloadMs)])
    try {
      const response = await fetch(resolveUrl(url, base), { redirect: 'error', signal })
      if (!response.ok || !response.body) throw new VideoUnavailable(`The finished video answered ${response.status}`)
      await pipeline(Readable.fromWeb(response.body), limited(options.maxBytes), createWriteStream(target))
    } catch (error) {
      if (error instanceof VideoRefused || error instanceof VideoUnavailable || stop.aborted) throw error
      throw new VideoUnavailable('The finished video could not be fetched', { cause: error })
    }
  }

  return {
    engine: 'provider',
    async advance({ id, prompt, image, providerId }, making) {
      if (providerId !== null)
        return follow(answerOf(await request('GET', `/${encodeURIComponent(providerId)}`)), making)
      const body = { prompt, images: image ? [image.url] : [] }
      return follow(answerOf(await request('POST', '', { id, body })), making)
    },
    async cancel(providerId) {
      await request('DELETE', `/${encodeURIComponent(providerId)}`)
    },
    async close() {
      closing.abort()
    },
  }
}

/** The state of a job at the provider. */
interface Answer {
  readonly id: string
  readonly status: 'queued' | 'processing' | 'completed' | 'failed'
  readonly progress?: number
  readonly url?: string
  readonly error?: string
}

const STATUSES = ['queued', 'processing', 'completed', 'failed'] as const

function answerOf(body: unknown): Answer {
  const { id, status, progress, url, error } = (typeof body === 'object' && body ? body : {}) as Record<string, unknown>
  const knownStatus = STATUSES.find((name) => name === status)
  const isId = typeof id === 'string' && id.length >= 1 && id.length <= 200
  if (!isId || !knownStatus || (knownStatus === 'completed' && typeof url !== 'string'))
    throw new VideoUnavailable('The video provider gave an answer that this server does not understand')
  return {
    id,
    status: knownStatus,
    ...(typeof progress === 'number' && Number.isFinite(progress) && { progress }),
    ...(typeof url === 'string' && { url }),
    ...(typeof error === 'string' && { error }),
  }
}

async function failureOf(response: Response, now: () => number): Promise<Error> {
  const { status, headers } = response
  const body = await readJson(response).catch(() => undefined)
  const retryAfterSeconds = retryAfter(headers, now)
  if (status === 429 || status === 503)
    return new VideoUnavailable(`The video provider answered ${status}`, {
      isBusy: true,
      ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
    })
  if (status === 408 || status >= 500) return new VideoUnavailable(`The video provider answered ${status}`)
  if (status === 401 || status === 403) return new VideoRefused('The video provider does not accept this server’s key.')
  if (status === 404) return new VideoRefused('The video provider knows nothing of this job.')
  return new VideoRefused(reasonOf((typeof body === 'object' && body ? body : {}) as { error?: unknown }))
}

function reasonOf({ error }: { error?: unknown }): string {
  const text = typeof error === 'string' ? error.replace(/\p{C}+/gu, ' ').trim() : ''
  return text === ''
    ? 'The video provider refused it.'
    : `The video provider refused it: ${text.slice(0, MAX_ERROR_LETTERS)}`
}

// Seconds or a date.
function retryAfter(headers: Headers, now: () => number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  const seconds = /^[0-9]+$/.test(value) ? Number(value) : (Date.parse(value) - now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 1), MAX_RETRY_SECONDS)
}

async function readJson(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) throw new VideoUnavailable('The video provider answered with too large a body')
    chunks.push(chunk)
  }
  if (response.status === 204 || bytes === 0) return undefined
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new VideoUnavailable('The video provider answered with malformed JSON', { cause: error })
  }
}

// Away from the provider itself only https is allowed, so that an answer cannot lead into a private network.
function resolveUrl(url: string | undefined, base: string): URL {
  const place = url !== undefined && URL.canParse(url, `${base}/`) ? new URL(url, `${base}/`) : undefined
  if (!place || (place.origin !== new URL(base).origin && place.protocol !== 'https:'))
    throw new VideoRefused('The video provider gave an address that is not followed.')
  return place
}

function limited(maxBytes: number) {
  return async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.byteLength
      if (bytes > maxBytes) throw new VideoRefused('The finished video is too large.')
      yield chunk
    }
  }
}

function wholePercent(progress: number): number {
  return Math.min(99, Math.max(0, Math.round(progress)))
}
