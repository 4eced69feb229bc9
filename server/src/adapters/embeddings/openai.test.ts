import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { embedderContract } from './embedder.contract.js'
import { type Embedder, EmbeddingRefused, EmbeddingUnavailable } from './embedder.js'
import { createOpenAiEmbedder, type OpenAiOptions } from './openai.js'

interface Asked {
  readonly url: string | undefined
  readonly authorization: string | undefined
  readonly model: string
  readonly input: string[]
}

type Answer = (asked: Asked, response: ServerResponse) => void

const NOW = Date.parse('2026-06-01T12:00:00Z')
const DIMENSIONS = 24

/** A service on this machine with OpenAI's API. */
async function startService() {
  const asked: Asked[] = []
  let answer: Answer = answerWell
  const server = createServer(async (request, response) => {
    const body = JSON.parse(await textOf(request)) as { model: string; input: string[] }
    const it = { url: request.url, authorization: request.headers.authorization, model: body.model, input: body.input }
    asked.push(it)
    answer(it, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const opened: Embedder[] = []
  return {
    asked,
    baseUrl,
    /** Decides the next answers; afterwards all is well again. */
    answerOnce(...next: Answer[]) {
      answer = (it, response) => (next.shift() ?? answerWell)(it, response)
    },
    /** Decides every answer. */
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
      asked.length = 0
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
const itemsOf = ({ input }: Asked) => input.map((text, index) => ({ index, embedding: vectorOf(text) }))
// Backwards, because the order of an answer is not promised.
const answerWell: Answer = (asked, response) => sendJson(response, 200, { data: itemsOf(asked).reverse() })

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

  test('is asked at /v1/embeddings with model and key, however the base URL ends', async () => {
    for (const end of ['', '/', '/v1', '/v1/']) {
      await service.open({ baseUrl: service.baseUrl + end, apiKey: 'secret' }).embed(['hello'], 'query')
      expect(service.asked.at(-1)).toEqual({
        url: '/v1/embeddings',
        authorization: 'Bearer secret',
        model: 'some-model',
        input: ['hello'],
      })
    }
    await service.open().embed(['hello'], 'query')
    expect(service.asked.at(-1)?.authorization).toBeUndefined()
  })

  test('is asked in batches', async () => {
    await service.open().embed(Array.from({ length: 70 }, String), 'document')
    expect(service.asked.slice(1).map(({ input }) => input.length)).toEqual([32, 32, 6])
  })

  test('is told what a text is for, where its model wants that', async () => {
    const embedder = service.open({ model: 'nomic-embed-text' })
    await embedder.embed(['hello'], 'query')
    await embedder.embed(['hello'], 'document')
    expect(service.asked.slice(1).map(({ input }) => input[0])).toEqual([
      'search_query: hello',
      'search_document: hello',
    ])
  })

  test('is asked again after a failure that may pass', async () => {
    const embedder = service.open()
    await embedder.ready
    for (const status of [408, 429, 500, 502, 503]) {
      service.answerOnce(fail(status, status === 429 ? { 'retry-after': '0' } : {}))
      expect(await embedder.embed([`after ${status}`], 'document')).toHaveLength(1)
    }
    service.answerOnce((_asked, response) => void response.destroy())
    expect(await embedder.embed(['after a broken connection'], 'document')).toHaveLength(1)
  })

  test('is given up after a few failures', async () => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith(fail(500))
    const before = service.asked.length
    await expect(embedder.embed(['x'], 'document')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.asked.length - before).toBe(4)
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.asked.length - before).toBe(6)
  })

  test.each([
    ['7', 7],
    ['Mon, 01 Jun 2026 12:01:30 GMT', 90],
    ['999999', 3_600],
    ['nonsense', 5],
    ['0', 0],
  ])('that says Retry-After: %s is left alone for %i s', async (value, seconds) => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith(fail(429, { 'retry-after': value }))
    const error = await embedder.embed(['x'], 'document').catch((error: unknown) => error)
    expect(error).toMatchObject({ name: 'EmbeddingUnavailable', retryAfterSeconds: seconds })
  })

  test.each([401, 403, 404])('that answers %i is not asked again at once', async (status) => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith(fail(status))
    const before = service.asked.length
    await expect(embedder.embed(['x'], 'document')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.asked.length - before).toBe(1)
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
  ])('that answers with %s is not understood', async (_, body) => {
    const embedder = service.open()
    await embedder.ready
    service.answerWith((_asked, response) => sendJson(response, 200, body))
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(EmbeddingUnavailable)
  })

  test('is read no further than sixteen megabytes', async () => {
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

  test('does not send the key on to where it is redirected', async () => {
    const embedder = service.open({ apiKey: 'secret' })
    await embedder.ready
    service.answerWith((_asked, response) => void response.writeHead(307, { location: '/elsewhere' }).end())
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(EmbeddingUnavailable)
    expect(service.asked.map(({ url }) => url)).not.toContain('/elsewhere')
  })

  test('that is away at the start is asked until it is there, and tells its dimensions then', async () => {
    service.answerOnce(fail(503), fail(404), fail(500))
    const embedder = service.open()
    expect(embedder.isReady()).toBe(false)
    await embedder.ready
    expect(embedder.dimensions).toBe(DIMENSIONS)
    expect(service.asked).toHaveLength(4)
  })

  test('is not asked any more once it is closed', async () => {
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
