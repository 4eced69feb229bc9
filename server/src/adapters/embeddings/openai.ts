import { setTimeout as delay } from 'node:timers/promises'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable, normalise } from './embedder.js'

export interface OpenAiOptions {
  /** With or without a trailing `/v1`. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: string | undefined
  readonly now: () => number
  readonly timeoutMs?: number
  readonly firstRetryMs?: number
}

// The smallest batch limit of the common servers.
const BATCH = 32
const MAX_BODY_BYTES = 16 * 1024 * 1024
const MAX_DIMENSIONS = 16_000
const MAX_TEXT = 8_000
const LONGEST_PROBE_MS = 60_000
// A caller waits for a query. Documents have more time: their job can wait without blocking anything.
const ATTEMPTS = { query: 2, document: 4 } as const
const LONGEST_WAIT_MS = 2_000

// Models that were trained with a prefix that states the purpose of a text.
const PREFIXES: readonly { readonly model: RegExp; readonly query: string; readonly document: string }[] = [
  { model: /nomic-embed/i, query: 'search_query: ', document: 'search_document: ' },
  { model: /(^|[/:_-])e5(-|_|$)/i, query: 'query: ', document: 'passage: ' },
  {
    model: /(bge-(small|base|large)-en|mxbai-embed|snowflake-arctic-embed)/i,
    query: 'Represent this sentence for searching relevant passages: ',
    document: '',
  },
]

/** Any service with OpenAI's embeddings API: OpenAI, Ollama, TEI, vLLM and others. */
export function createOpenAiEmbedder(options: OpenAiOptions): Embedder {
  const { model, now, timeoutMs = 20_000, firstRetryMs = 500 } = options
  const url = `${options.baseUrl.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1/embeddings`
  const prefix = PREFIXES.find((candidate) => candidate.model.test(model)) ?? { query: '', document: '' }
  const closing = new AbortController()
  let dimensions = 0
  let loading: Promise<void> | undefined
  let failures: { readonly count: number; readonly latest: string | undefined } = { count: 0, latest: undefined }

  // Retries until it gets an answer: the service may start later than we do.
  async function probe(): Promise<void> {
    for (let wait = firstRetryMs; ; wait = Math.min(wait * 2, LONGEST_PROBE_MS)) {
      try {
        const [vector] = await request(['ready'])
        dimensions = vector?.length ?? 0
        return
      } catch (error) {
        if (closing.signal.aborted) throw error
        const pause = Math.min(Math.max(wait, askedWait(error)), LONGEST_PROBE_MS)
        await delay(pause, undefined, { signal: closing.signal })
      }
    }
  }

  async function request(input: readonly string[]): Promise<Float32Array[]> {
    // One signal for connecting, headers and body, so that a trickle of bytes cannot hold it open.
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)])
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          ...(options.apiKey && { authorization: `Bearer ${options.apiKey}` }),
        },
        body: JSON.stringify({ model, input, encoding_format: 'float' }),
        signal,
      })
      await refuseFailures(response, now)
      const vectors = readVectors(await readBody(response), input.length, dimensions)
      failures = { ...failures, latest: undefined }
      return vectors
    } catch (error) {
      const what = signal.aborted ? `gave no answer in ${timeoutMs} ms` : 'could not be reached'
      const isKnown = error instanceof EmbeddingUnavailable || error instanceof EmbeddingRefused
      const failure = isKnown ? error : new EmbeddingUnavailable(`The embeddings API ${what}`, { cause: error })
      // Texts that it refuses are no failure of its own.
      if (failure instanceof EmbeddingUnavailable && !closing.signal.aborted)
        failures = { count: failures.count + 1, latest: failure.message }
      throw failure
    }
  }

  async function requestWithRetries(input: readonly string[], kind: 'query' | 'document'): Promise<Float32Array[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await request(input)
      } catch (error) {
        const isHopeless = !(error instanceof EmbeddingUnavailable) || error instanceof Misconfigured
        const wait = Math.max(firstRetryMs * 2 ** (attempt - 1), askedWait(error))
        if (isHopeless || attempt >= ATTEMPTS[kind] || wait > LONGEST_WAIT_MS) throw error
        await delay(wait, undefined, { signal: closing.signal })
      }
    }
  }

  function load(): Promise<void> {
    loading ??= probe()
    loading.catch(() => {})
    return loading
  }

  return {
    model,
    get dimensions() {
      return dimensions
    },
    get ready() {
      return load()
    },
    isReady: () => dimensions > 0,
    failures: () => failures,
    async embed(texts, kind) {
      await load()
      const vectors: Float32Array[] = []
      for (let start = 0; start < texts.length; start += BATCH) {
        const batch = texts.slice(start, start + BATCH).map((text) => `${prefix[kind]}${text.slice(0, MAX_TEXT)}`)
        vectors.push(...(await requestWithRetries(batch, kind)))
      }
      return vectors
    },
    async close() {
      closing.abort()
    },
  }
}

class RateLimited extends EmbeddingUnavailable {}
class Misconfigured extends EmbeddingUnavailable {}

const askedWait = (error: unknown) => (error instanceof RateLimited ? error.retryAfterSeconds * 1000 : 0)

async function refuseFailures(response: Response, now: () => number): Promise<void> {
  const { status, headers } = response
  if (response.ok) return
  await response.body?.cancel()
  const retryAfterSeconds = retryAfter(headers, now)
  if ((status === 429 || status === 503) && retryAfterSeconds !== undefined)
    throw new RateLimited(`The embeddings API answered ${status}`, { retryAfterSeconds })
  if (status === 408 || status === 429 || status >= 500)
    throw new EmbeddingUnavailable(`The embeddings API answered ${status}`)
  if (status === 401 || status === 403)
    throw new Misconfigured(`The embeddings API does not accept the key (${status})`, { retryAfterSeconds: 60 })
  if (status === 404) throw new Misconfigured('The embeddings API has no such model (404)', { retryAfterSeconds: 60 })
  throw new EmbeddingRefused(`The embeddings API refused the texts (${status})`)
}

// Seconds or a date.
function retryAfter(headers: Headers, now: () => number): number | undefined {
  const value = headers.get('retry-after') ?? ''
  const seconds = /^[0-9]+$/.test(value.trim()) ? Number(value) : (Date.parse(value) - now()) / 1000
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(Math.ceil(seconds), 0), 3_600)
}

async function readBody(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Counted after decompression, which is where a small answer could become a large one.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > MAX_BODY_BYTES) throw new EmbeddingUnavailable('The embeddings API answered with too large a body')
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'))
  } catch (error) {
    throw new EmbeddingUnavailable('The embeddings API answered with malformed JSON', { cause: error })
  }
}

/** The vectors of an answer in the order of what was asked, whatever their order in the answer. */
function readVectors(body: unknown, count: number, dimensions: number): Float32Array[] {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  if (!Array.isArray(data) || data.length !== count) throw malformed()
  const vectors: (Float32Array | undefined)[] = Array.from({ length: count })
  for (const item of data as unknown[]) {
    const { index, embedding } = (item ?? {}) as { index?: unknown; embedding?: unknown }
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count) throw malformed()
    if (vectors[index as number] !== undefined || !isVector(embedding, dimensions)) throw malformed()
    vectors[index as number] = normalise(Float32Array.from(embedding))
  }
  return vectors as Float32Array[]
}

function isVector(value: unknown, dimensions: number): value is number[] {
  return (
    Array.isArray(value) &&
    value.length >= 1 &&
    value.length <= MAX_DIMENSIONS &&
    (dimensions === 0 || value.length === dimensions) &&
    value.every((part) => typeof part === 'number' && Number.isFinite(part))
  )
}

function malformed(): EmbeddingUnavailable {
  return new EmbeddingUnavailable('The embeddings API gave an answer that this server does not understand')
}
