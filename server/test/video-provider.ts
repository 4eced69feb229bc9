import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A call that the provider received. */
export interface ProviderCall {
  readonly call: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export type ProviderAnswer = (response: ServerResponse) => void

/** Starts a local video provider with preset answers; the last answer is repeated. */
export async function startVideoProvider() {
  const calls: ProviderCall[] = []
  let answers: ProviderAnswer[] = []
  let film = Buffer.alloc(0)
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const call = `${request.method} ${request.url}`
    calls.push({ call, headers: request.headers, body: text === '' ? undefined : JSON.parse(text) })
    if (request.url === '/films/1.mp4') return void response.writeHead(200).end(film)
    if (request.url === '/films/moved.mp4') return void response.writeHead(302, { location: '/films/1.mp4' }).end()
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    answer?.(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/jobs`,
    origin,
    calls,
    /** Sets its answers from now on, and its finished video. */
    play(script: ProviderAnswer[], result = Buffer.alloc(0)) {
      calls.length = 0
      answers = script
      film = result
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

/** An answer with JSON. */
export const says =
  (status: number, body: unknown, headers: Record<string, string> = {}): ProviderAnswer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
