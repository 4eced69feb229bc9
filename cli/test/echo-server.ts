import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** One request as it arrived. */
export interface Received {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly headers: IncomingMessage['headers']
  readonly body: unknown
}

/** What a test answers with. */
export interface Answer {
  readonly status?: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A server that remembers every request and answers as it is told, for what the real one cannot be brought to do. */
export async function startEchoServer(answer: (received: Received) => Answer = (body) => ({ body })) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost')
    let text = ''
    for await (const chunk of request) text += chunk
    const it: Received = {
      method: request.method ?? '',
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
      headers: request.headers,
      body: isJson(request) && text !== '' ? (JSON.parse(text) as unknown) : text || undefined,
    }
    received.push(it)
    const { status = 200, body, headers = { 'content-type': 'application/json' } } = answer(it)
    response.writeHead(status, headers).end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

function isJson({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.includes('json') ?? false
}
