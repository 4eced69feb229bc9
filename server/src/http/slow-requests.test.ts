import { connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { listFiles } from '../../test/list-files.js'
import { startServer } from '../../test/start-server.js'
import { createApp } from '../app.js'
import { createMetrics } from '../foundation/metrics.js'

const TIMES = { headersMs: 500, bodyMs: 500, formBytesPerSecond: 1_000, longestMs: 60_000 }

const server = await startServer()
let app: FastifyInstance
let port: number
let apiKey: string
beforeAll(async () => {
  app = await createApp({ ...server.deps, metrics: createMetrics() }, server.features, { sendTimes: TIMES })
  port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)
  ;({
    ann: { apiKey },
  } = await server.seed.agents('ann'))
})
afterAll(async () => {
  await app.close()
  await server.stop()
})

/** Opens a connection and sends the beginning of a request; `ended` has all that came back when it is closed. */
function begin(start: string): { socket: Socket; ended: Promise<string> } {
  const socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('utf8').on('data', (text) => {
    answer += text
  })
  socket.on('error', () => {})
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(answer)))
  socket.write(start)
  return { socket, ended }
}

/** Sends a byte now and then, as long as the connection lives. */
function trickle(socket: Socket, byte = ' '): void {
  const timer = setInterval(() => socket.write(byte), 20)
  socket.once('close', () => clearInterval(timer))
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, `Host: localhost:${port}`, ...headers, '', ''].join('\r\n')
const jsonHead = (length = 100) =>
  head('POST /v1/auth/challenge', 'Content-Type: application/json', `Content-Length: ${length}`)

/** Checks that an answer is our 408, and that it was the last one of its connection. */
function expectTimeout(answer: string): void {
  const [headers = '', body = ''] = answer.split('\r\n\r\n')
  expect(headers).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/)
  expect(headers).toMatch(/^connection: close$/im)
  expect(JSON.parse(body)).toMatchObject({ statusCode: 408, code: 'REQUEST_TIMEOUT', requestId: expect.any(String) })
}

describe('a request that arrives slowly', () => {
  test('is 408 when its headers do not end, however many there are, and others are still answered', async () => {
    const slow = Array.from({ length: 40 }, () => begin('GET /v1/agents HTTP/1.1\r\nHost: localhost\r\nX-A: '))
    for (const { socket } of slow) trickle(socket, 'a')
    expect((await fetch(`http://localhost:${port}/v1/agents`)).status).toBe(200)
    for (const { ended } of slow) expectTimeout(await ended)
  })

  test('is 408 when nothing is sent at all', async () => {
    expectTimeout(await begin('').ended)
  })

  test('is 408 when its JSON does not end, however many there are', async () => {
    const slow = Array.from({ length: 40 }, () => begin(`${jsonHead()}{`))
    for (const { socket } of slow) trickle(socket)
    for (const { ended } of slow) expectTimeout(await ended)
  })

  test('is 408 when its JSON comes in chunks without end, or stops', async () => {
    const chunked = begin(
      head('POST /v1/auth/challenge', 'Content-Type: application/json', 'Transfer-Encoding: chunked'),
    )
    trickle(chunked.socket, '1\r\n \r\n')
    const stopped = begin(`${jsonHead()}{"purpose":`)
    for (const { ended } of [chunked, stopped]) expectTimeout(await ended)
  })

  test('is cut off when it has been answered already, since nothing reads its body', async () => {
    const unread = begin(head('GET /v1/health', 'Content-Length: 100'))
    trickle(unread.socket)
    expect(await unread.ended).toMatch(/^HTTP\/1\.1 200 OK/)
  })
})

describe('a request that takes a moment', () => {
  test('is answered as usual', async () => {
    const body = JSON.stringify({ purpose: 'session', walletAddress: `0x${'1'.repeat(40)}` })
    const { socket, ended } = begin(jsonHead(body.length).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'))
    for (const part of [body.slice(0, 9), body.slice(9)])
      await new Promise<void>((done) => socket.write(part, () => done()))
    expect(await ended).toMatch(/^HTTP\/1\.1 200 OK/)
  })
})

describe('an upload', () => {
  const PART = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'
  const uploadHead = (length: number, key = apiKey) =>
    head(
      'POST /v1/upload/file',
      `X-API-Key: ${key}`,
      'Content-Type: multipart/form-data; boundary=x',
      `Content-Length: ${length}`,
    )

  const countedBytes = async () =>
    (
      await server.deps.db.one<{ bytes: number }>(
        sql`select coalesce(sum(uploaded_bytes), 0)::double precision as bytes from agent_usage`,
      )
    ).bytes

  test('may take longer while it arrives at the least rate', async () => {
    const end = '\r\n--x--\r\n'
    const chunk = 'a'.repeat(200)
    const chunks = 60
    const { socket, ended } = begin(
      uploadHead(PART.length + chunks * chunk.length + end.length).replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'),
    )
    socket.write(PART)
    // Longer than any other body may take.
    for (let sent = 0; sent < chunks; sent++) {
      socket.write(chunk)
      await new Promise((done) => setTimeout(done, 20))
    }
    socket.write(end)
    // It is no image, which is found out only when all of it is there.
    expect(await ended).toMatch(/^HTTP\/1\.1 4(00|15)/)
  })

  test('is 408 below the least rate, and leaves no file behind', async () => {
    const { socket, ended } = begin(uploadHead(500))
    socket.write(PART)
    trickle(socket, 'a')
    expectTimeout(await ended)
    await vi.waitFor(async () => expect(await listFiles(server.config.DATA_DIR, 'scratch')).toEqual([]))
  })

  test('gets no time for what it announces: a large one that trickles is 408 and gives back what it reserved', async () => {
    const before = await countedBytes()
    // As many as an agent may have at a time.
    const large = [1, 2].map(() => begin(uploadHead(100_000_000)))
    for (const { socket } of large) {
      socket.write(PART)
      trickle(socket, 'a')
    }
    for (const { ended } of large) expectTimeout(await ended)
    await vi.waitFor(async () => expect(await countedBytes()).toBe(before))
  })

  test('must arrive fast enough for its size: a large one above the least rate is 408 and gives back what it reserved', async () => {
    const before = await countedBytes()
    const { socket, ended } = begin(uploadHead(100_000_000))
    socket.write(PART)
    // The least rate for hours to come, but less than a hundred megabytes a minute.
    socket.write('\0\0\0\x18ftypmp42\0\0\0\0mp42isom')
    trickle(socket, 'a'.repeat(100))
    expectTimeout(await ended)
    await vi.waitFor(async () => expect(await countedBytes()).toBe(before))
  })

  test('that is refused is cut off like any other body, whatever it announces', async () => {
    const { socket, ended } = begin(uploadHead(100_000_000, 'sk_wrong'))
    socket.write(PART)
    trickle(socket, 'a')
    expect(await ended).toMatch(/^HTTP\/1\.1 401/)
  })
})

test('no slow request leaves an error in the log', () => {
  expect(server.logged.filter((line) => JSON.parse(line).level >= 50)).toEqual([])
})
