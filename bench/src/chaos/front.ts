import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type ServerResponse,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** The proxy that all clients call. */
export interface Front {
  readonly url: string
  close(): Promise<void>
}

const ANSWER_WITHIN_MS = 3_000
const SKIPPED_MS = 1_000
// Longer than any client is idle, so that no client sends into a closing connection.
const KEEP_ALIVE_MS = 600_000

interface Upstream {
  readonly port: number
  /** When it may be called again after a failure. */
  backAt: number
  /** Calls in progress. */
  waiting: number
}

/** The outcome of forwarding a request. */
interface Forwarded {
  readonly isAnswered: boolean
  /** Whether the program may have acted on it. */
  readonly wasSent: boolean
  readonly isLate: boolean
}

/**
 * Forwards each request to the program with the fewest calls in progress, like nginx with `least_conn` and
 * `proxy_next_upstream error timeout`: a request that was not sent, or a read, goes to the next program; a program that
 * failed is skipped for a moment.
 */
export async function openFront(ports: readonly number[]): Promise<Front> {
  const upstreams: Upstream[] = ports.map((port) => ({ port, backAt: 0, waiting: 0 }))
  let turn = 0

  function orderUpstreams(): Upstream[] {
    turn++
    const all = upstreams.map((_, index) => upstreams[(turn + index) % upstreams.length] as Upstream)
    const now = performance.now()
    const good = all.filter(({ backAt }) => backAt <= now)
    return (good.length > 0 ? good : all).toSorted((a, b) => a.waiting - b.waiting)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    let last: Forwarded | undefined
    for (const upstream of orderUpstreams()) {
      upstream.waiting++
      last = await forward(upstream.port, request, body, response)
      upstream.waiting--
      if (last.isAnswered || response.destroyed) return
      upstream.backAt = performance.now() + SKIPPED_MS
      if (last.wasSent && request.method !== 'GET') break
    }
    response.writeHead(last?.isLate ? 504 : 502).end()
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  server.keepAliveTimeout = KEEP_ALIVE_MS
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

function forward(port: number, request: IncomingMessage, body: Buffer, response: ServerResponse): Promise<Forwarded> {
  const { method, url: path, headers } = request
  const withoutHop: OutgoingHttpHeaders = { ...headers, connection: 'close' }
  return new Promise((resolve) => {
    let wasSent = false
    let isLate = false
    // One connection per request, so that a connection closed in the meantime never looks like a failure.
    const outgoing: ClientRequest = sendRequest({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: withoutHop,
      agent: false,
    })
    const late = setTimeout(() => {
      isLate = true
      outgoing.destroy(new Error('late'))
    }, ANSWER_WITHIN_MS)
    const end = (isAnswered: boolean) => {
      clearTimeout(late)
      resolve({ isAnswered, wasSent, isLate })
    }
    response.once('close', () => outgoing.destroy())
    outgoing.once('socket', (socket) =>
      socket.once('connect', () => {
        wasSent = true
      }),
    )
    outgoing.once('error', () => end(false))
    outgoing.once('response', (answer) => {
      end(true)
      const { connection: _, ...kept } = answer.headers
      response.writeHead(answer.statusCode ?? 502, kept)
      // Events are sent at once, so the head of their stream must be too.
      response.flushHeaders()
      answer.pipe(response)
      answer.once('close', () => {
        if (!answer.complete) response.destroy()
      })
    })
    outgoing.end(body)
  })
}
