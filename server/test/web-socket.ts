import type { ClientMessage, ServerMessage } from '@rookery/api'
import { WebSocket } from 'ws'

/** A WebSocket of a test. */
export interface TestSocket {
  /** The next message that passes, leaving out heartbeats. */
  next(): Promise<ServerMessage>
  say(message: ClientMessage): void
  sayText(text: string): void
  /** Code of the end, when it has ended. */
  readonly ended: Promise<number>
  readonly protocol: string
  close(): void
}

interface SocketOptions {
  readonly headers?: Record<string, string>
  readonly protocols?: string[]
}

/** Connects; a refusal is thrown as its status and code. */
export async function openSocket(
  baseUrl: string,
  { headers = {}, protocols = [] }: SocketOptions = {},
  path = '/v1/realtime',
): Promise<TestSocket> {
  const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}${path}`, protocols, { headers })
  const received: ServerMessage[] = []
  let wake = () => {}
  socket.on('message', (data) => {
    const message: ServerMessage = JSON.parse(data.toString())
    if (message.type !== 'heartbeat') received.push(message)
    wake()
  })
  const ended = new Promise<number>((resolve) => {
    socket.once('close', (code) => {
      resolve(code)
      wake()
    })
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('error', reject)
    socket.once('unexpected-response', (_, response) => {
      response.setEncoding('utf8')
      let body = ''
      response.on('data', (chunk: string) => {
        body += chunk
      })
      response.on('end', () => reject(new Error(`${response.statusCode} ${JSON.parse(body).code}`)))
    })
  })
  return {
    ended,
    protocol: socket.protocol,
    say: (message) => socket.send(JSON.stringify(message)),
    sayText: (text) => socket.send(text),
    async next() {
      for (;;) {
        const message = received.shift()
        if (message) return message
        if (socket.readyState === WebSocket.CLOSED) throw new Error('The connection has ended')
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    close: () => socket.terminate(),
  }
}
