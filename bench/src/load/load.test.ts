import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, test } from 'vitest'
import { AnswerReader } from './answer-reader.js'
import { Histogram } from './histogram.js'
import { runTask } from './run-task.js'
import { wireOf } from './start-generator.js'

describe('the histogram', () => {
  test('gives quantiles within one percent, for times from microseconds to minutes', () => {
    for (const largest of [90, 5_000, 700_000, 60_000_000]) {
      const times = new Histogram()
      for (let step = 1; step <= 1000; step++) times.add((largest * step) / 1000)
      for (const part of [0.01, 0.5, 0.99, 1])
        expect(Math.abs(times.quantile(part) / Math.max(1, largest * part) - 1)).toBeLessThan(
          largest < 100 ? 0.6 : 0.01,
        )
      expect(times.total).toBe(1000)
    }
  })

  test('has no quantiles while it is empty', () => {
    expect(new Histogram().quantile(0.5)).toBeNaN()
  })
})

const withLength = 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nX-A: b\r\n\r\nhello'
const withChunks =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n10\r\n0123456789abcdef\r\n0\r\n\r\n'
const withNothing = 'HTTP/1.1 204 No Content\r\n\r\n'

describe('the reader of answers', () => {
  test('finds the end of an answer wherever the network cuts it', () => {
    for (const text of [withLength, withChunks, withNothing])
      for (let cut = 1; cut <= text.length; cut++) {
        const reader = new AnswerReader()
        // Twice, because one answer must not leave anything behind for the next.
        for (let turn = 0; turn < 2; turn++) {
          const parts = [text.slice(0, cut), text.slice(cut)].filter((part) => part !== '')
          const ends = parts.map((part) => reader.push(Buffer.from(part)))
          expect(ends).toEqual(parts.map((_, index) => index === parts.length - 1))
          expect(reader.status).toBe(Number(text.slice(9, 12)))
        }
      }
  })

  test('keeps the beginning of an unexpected answer', () => {
    const reader = new AnswerReader()
    reader.expect(201)
    expect(reader.push(Buffer.from(withLength))).toBe(true)
    expect([reader.status, reader.beginning]).toEqual([200, 'hello'])
  })

  test('refuses an answer that is longer than its Content-Length', () => {
    expect(() => new AnswerReader().push(Buffer.from(`${withLength}more`))).toThrow('longer')
  })
})

describe('a load', () => {
  const servers: Server[] = []
  afterAll(() => {
    for (const server of servers) server.close()
  })

  async function serve(statusOf: (path: string) => number): Promise<{ port: number; seen: string[] }> {
    const seen: string[] = []
    const server = createServer((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['x-api-key'] ?? '-'}`)
      request.resume()
      response.writeHead(statusOf(request.url ?? '')).end('the answer')
    })
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { port: (server.address() as AddressInfo).port, seen }
  }

  const task = (port: number, paths: readonly string[]) => ({
    host: '127.0.0.1',
    port,
    ...wireOf(
      '127.0.0.1',
      paths.map((path) => ({ method: 'POST' as const, path, apiKey: 'key', body: { path } })),
    ),
    isOnce: true,
    connections: 3,
    seconds: 20,
  })

  test('sends each request once, over all connections', async () => {
    const { port, seen } = await serve(() => 200)
    const paths = Array.from({ length: 50 }, (_, index) => `/${index}`)
    const { answered, total, p50 } = await runTask(task(port, paths))
    expect([answered, total]).toEqual([50, 50])
    expect(p50).toBeGreaterThan(0)
    expect(seen.sort()).toEqual(paths.map((path) => `POST ${path} key`).sort())
  })

  test('expects of each answer the status of its own request', async () => {
    const { port } = await serve((path) => (path.startsWith('/new') ? 201 : 200))
    const requests = ['/a', '/new/b', '/c', '/new/d'].map((path) => ({
      method: 'GET' as const,
      path,
      expectedStatus: path.startsWith('/new') ? 201 : 200,
    }))
    const mixed = { ...task(port, []), ...wireOf('127.0.0.1', requests) }
    expect((await runTask(mixed)).answered).toBe(4)
    const wrong = wireOf('127.0.0.1', [{ method: 'GET', path: '/new/e' }])
    await expect(runTask({ ...mixed, ...wrong })).rejects.toThrow(/^The answer was 201, not 200/)
  })

  test('fails with the status and the body of an unexpected answer', async () => {
    const { port } = await serve((path) => (path === '/7' ? 503 : 200))
    const paths = Array.from({ length: 20 }, (_, index) => `/${index}`)
    await expect(runTask(task(port, paths))).rejects.toThrow(/^The answer was 503, not 200: .*the answer/s)
  })
})
