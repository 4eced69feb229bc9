import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { embedderContract } from './embedder.contract.js'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from './embedder.js'
import { createOpenAiEmbedder, type OpenAiOptions } from './openai.js'

interface ReceivedRequest {
  readonly url: string | undefined
  readonly authorization: string | undefined
  readonly model: string
  readonly input: string[]
}

type Answer = (request: ReceivedRequest, response: ServerResponse) => void

const NOW = Date.parse('2026-06-01T12:00:00Z')
const DIMENSIONS = 24

/** Starts a local server with OpenAI's API. */
async function startService() {
  const requests: ReceivedRequest[] = []
  let answer: Answer = answerWell
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as { model: string; input: string[] }
    const received = {
      url: request.url,
      authorization: request.headers.authorization,
      model: body.model,
      input: body.input,
    }
    requests.push(received)
    answer(received, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const opened: Embedder[] = []
  return {
    requests,
    baseUrl,
    /** Sets the next answers; after those it answers normally. */
    answerOnce(...next: Answer[]) {
      answer = (request, response) => (next.shift() ?? answerWell)(request, response)
    },
    /** Sets every answer. */
    answerWith(next: Answer) {
      answer = next
    },
    open(options: Partial<OpenAiOptions> = {}): Embedder {
      const embedder = createOpenAiEmbedder({
        ...{ baseUrl, model: 'some-model', now: () => NOW, timeoutMs: 5_000, firstRetryMs: 5 },
        ...options,
      })
      opened.push(embedder)
      return embedder
    },
    async rest() {
      await Promise.all(opened.splice(0).map((embedder) => embedder.close()))
      answer = answerWell
      requests.length = 0
    },
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

const vectorOf = (text: string) => [...createHash('sha256').update(text).digest()].slice(0, DIMENSIONS)
const itemsOf = ({ input }: ReceivedRequest) => input.map((text, index) => ({ index, embedding: vectorOf(text) }))
// Reversed, because the API does not promise an order.
const answerWell: Answer = (request, response) => sendJson(response, 200, { data: itemsOf(request).reverse() })

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

const fail =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (_asked, response) =>
    sendJson(response, status, { error: { message: 'no' } }, headers)

const service = await startService()
afterAll(() => service.close())

embedderContract('OpenAI-compatible', async () => service.open())

describe('an embeddings API', () => {
  afterEach(() => service.rest())

  test('is called at /v1/embeddings with model and key, however the base URL ends', async () => {
    for (const end of ['', '/', '/v1', '/v1/']) {
      await service.open({ baseUrl: service.baseUrl + end, apiKey: 'secret' }).embed(['hello'], 'query')
      expect(service.requests.at(-1)).toEqual({
        url: '/v1/embeddings',
        authorization: 'Bearer secret',
        model: 'some-model',
        input: ['hello'],
      })
    }
    await service.open().embed(['hello'], 'query')
    expect(service.requests.at(-1)?.authorization).toBeUndefined()
  })

  test('is called in batches', async () => {
    await service.open().embed(Array.from({ length: 70 }, String), 'document')
    expect(service.requests.slice(1).map(({ input }) => input.length)).toEqual([32, 32, 6])
  })

  test('gets the purpose of a text if its model needs it', async () => {
    const embedder = service.open({ model: 'nomic-embed-text' })
    await embedder.embed(['hello'], 'query')
    await embedder.embed(['hello'], 'document')
    expect(service.requests.slice(1).map(({ input }) => input[0])).toEqual([
      'search_query: hello',
      'search_document: hello',
    ])
  })

  test('is called again after a transient failure', async () => {
    const embedder = service.open()
    await embedder.ready
    for (const status of [408, 429, 500, 502, 503]) {
      service.answerOnce(fail(status, status === 429 ? { 'retry-after': '0' } : {}))
      expect(await embedder.embed([`after ${status}`], 'document')).toHaveLength(1)
    }
    service.answerOnce((_asked, response) => void response.destroy())
    expect(await embedder.embed(['after a broken connection'], 'document')).toHaveLength(1)
  })

  test('is abandoned after a few failures', async () => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith(fail(500))
    const before = service.requests.length
    await expect(embedder.embed(['x'], 'document')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.requests.length - before).toBe(4)
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.requests.length - before).toBe(6)
  })

  test.each([
    ['7', 7],
    ['Mon, 01 Jun 2026 12:01:30 GMT', 90],
    ['999999', 3_600],
    ['nonsense', 5],
    ['0', 0],
  ])('that sends Retry-After: %s is not called for %i s', async (value, seconds) => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith(fail(429, { 'retry-after': value }))
    const error = await embedder.embed(['x'], 'document').catch((error: unknown) => error)
    expect(error).toMatchObject({ name: 'EmbeddingUnavailable', retryAfterSeconds: seconds })
  })

  test.each([401, 403, 404])('that answers %i is not called again at once', async (status) => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith(fail(status))
    const before = service.requests.length
    await expect(embedder.embed(['x'], 'document')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.requests.length - before).toBe(1)
  })

  test.each([400, 413, 422])('that answers %i has refused the texts for good', async (status) => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith(fail(status))
    await expect(embedder.embed(['x'], 'document')).rejects.toThrow(EmbeddingRefused)
  })

  test('that does not answer in time is unavailable', async () => {
    const embedder = service.open({ timeoutMs: 200 })
    await embedder.ready
    service.answerWith(() => {})
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow('gave no answer in 200 ms')
    service.answerWith((_asked, response) => void response.writeHead(200).write('{"data": ['))
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow('gave no answer in 200 ms')
  })

  const good = vectorOf('x')
  test.each([
    ['null', null],
    ['no data', {}],
    ['too few', { data: [] }],
    [
      'too many',
      {
        data: [
          { index: 0, embedding: good },
          { index: 1, embedding: good },
        ],
      },
    ],
    ['a wrong index', { data: [{ index: 1, embedding: good }] }],
    ['no index', { data: [{ embedding: good }] }],
    ['other dimensions', { data: [{ index: 0, embedding: good.slice(1) }] }],
    ['no vector', { data: [{ index: 0, embedding: 'AAAA' }] }],
    ['a word in a vector', { data: [{ index: 0, embedding: [...good.slice(1), 'one'] }] }],
    ['a vector without direction', { data: [{ index: 0, embedding: good.map(() => 0) }] }],
  ])('that answers with %s is reported as malformed', async (_, body) => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith((_asked, response) => sendJson(response, 200, body))
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(EmbeddingUnavailable)
  })

  test('is read up to sixteen megabytes', async () => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith((_asked, response) => {
      const chunk = Buffer.alloc(1024 * 1024, ' ')
      const send = () => {
        while (!response.destroyed && response.write(chunk));
      }
      response.writeHead(200).on('drain', send)
      send()
    })
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow('too large')
  })

  test('does not send the key to a redirect', async () => {
    const embedder = service.open({ apiKey: 'secret' })
    await embedder.ready
    service.answerWith((_asked, response) => void response.writeHead(307, { location: '/elsewhere' }).end())
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.requests.map(({ url }) => url)).not.toContain('/elsewhere')
  })

  test('that is down at the start is retried until it answers, and then reports its dimensions', async () => {
    service.answerOnce(fail(503), fail(404), fail(500))
    const embedder = service.open()
    expect(embedder.isReady()).toBe(false)
    await embedder.ready
    expect(embedder.dimensions).toBe(DIMENSIONS)
    expect(service.requests).toHaveLength(4)
  })

  test('is not called any more once it is closed', async () => {
    service.answerWith(fail(500))
    const embedder = service.open()
    const ready = embedder.ready.then(
      () => 'ready',
      () => 'given up',
    )
    await embedder.close()
    expect(await ready).toBe('given up')
  })
})
