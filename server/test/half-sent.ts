import { connect, type Socket } from 'node:net'
import type { Endpoint } from '@rookery/api'
import { bodyOf, pathOf } from './matrix/send.js'

/** A request of which the service has everything but the end of its body. */
export interface HalfSent {
  /** Sends the rest; returns the status, with the code of a refusal: `201`, or `403 AGENT_FROZEN`. */
  finish(): Promise<string>
}

/** Sends a request up to the middle of its body, and waits until the service asks for the body. */
export async function sendHalf(
  baseUrl: string,
  endpoint: Endpoint,
  credential: Readonly<Record<string, string>>,
  input: Readonly<Record<string, unknown>>,
): Promise<HalfSent> {
  const { hostname, port, host } = new URL(baseUrl)
  const request = new Request(baseUrl, {
    method: 'POST',
    // Nothing keeps a client from sending a body where none is expected.
    body: bodyOf(endpoint, input) ?? '{}',
    headers: endpoint.multipart ? {} : { 'Content-Type': 'application/json' },
  })
  const body = Buffer.from(await request.arrayBuffer())
  const half = body.length >> 1
  const headers = {
    Host: host,
    Connection: 'close',
    Expect: '100-continue',
    'Content-Type': request.headers.get('Content-Type') ?? '',
    'Content-Length': body.length,
    ...credential,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const socket = connect(Number(port), hostname)
  const answered = readAnswer(socket)
  socket.write([`${endpoint.method} ${pathOf(endpoint, input)} HTTP/1.1`, ...lines, '', ''].join('\r\n'))
  await new Promise((resolve) => socket.once('data', resolve))
  socket.write(body.subarray(0, half))
  return {
    finish() {
      socket.write(body.subarray(half))
      return answered
    },
  }
}

async function readAnswer(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (part) => {
    text += part
  })
  await new Promise<void>((resolve, reject) => socket.once('close', () => resolve()).once('error', reject))
  const answer = text.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const status = Number(answer.split(' ')[1])
  return status < 400 ? String(status) : `${status} ${answer.match(/"code":"(\w+)"/)?.[1]}`
}
