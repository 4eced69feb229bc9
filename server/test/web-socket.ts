import type { ClientMessage, ServerMessage } from '@rookery/api'
import { WebSocket } from 'ws'

/** A WebSocket for tests. */
export interface TestSocket {
  /** Waits for the next message that passes, ignoring heartbeats. */
  next(): Promise<ServerMessage>
  send(message: ClientMessage): void
  sayText(text: string): void
  /** The close code, when it has closed. */
  readonly ended: Promise<number>
  readonly protocol: string
  close(): void
}

interface SocketOptions {
  readonly headers?: Record<string, string>
  readonly protocols?: string[]
}

/** Connects; throws a refusal as its status and code. */
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
    send: (message) => socket.send(JSON.stringify(message)),
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
