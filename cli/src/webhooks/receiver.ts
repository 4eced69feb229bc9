import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LiveEvent } from '@rookery/sdk'
import { Webhook } from 'standardwebhooks'
import { UsageError } from '../failures.js'

/** One delivery whose signature is good. */
export interface Delivery {
  readonly id: string
  readonly event: LiveEvent
  readonly body: string
  /** The headers that a receiver needs to check the signature itself. */
  readonly headers: Readonly<Record<string, string>>
}

export interface Receiver {
  readonly port: number
  /** Until the secret is known, deliveries are refused; the service repeats them. */
  trust(secret: string): void
  close(): Promise<void>
}

const MOST_BYTES = 5 * 1024 * 1024

/** Starts a receiver on this machine. `onDelivery` returns the status to answer with; a repeated delivery is not told again. */
export async function startReceiver(options: {
  readonly port: number
  readonly onDelivery: (delivery: Delivery) => Promise<number>
  readonly onRefused: (reason: string) => void
}): Promise<Receiver> {
  let verifier: Webhook | undefined
  const handled = new Set<string>()
  const server = createServer(async (request, response) => {
    // A sender that hung up waits for no answer; the service delivers it again.
    const body = await readBody(request).catch(() => undefined)
    if (request.method !== 'POST' || body === undefined || !verifier) return void response.writeHead(404).end()
    const headers = signedHeaders(request)
    const id = headers['webhook-id'] ?? ''
    let event: LiveEvent
    try {
      event = verifier.verify(body, headers) as LiveEvent
    } catch (error) {
      options.onRefused(error instanceof Error ? error.message : String(error))
      return void response.writeHead(401).end()
    }
    const status = handled.has(id) ? 200 : await options.onDelivery({ id, event, body, headers })
    if (status < 300) handled.add(id)
    response.writeHead(status).end()
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(new UsageError(`Port ${options.port} cannot be used: ${error.message}`)))
    server.listen(options.port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    trust: (secret) => {
      verifier = new Webhook(secret)
    },
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  }
}

function signedHeaders({ headers }: IncomingMessage): Record<string, string> {
  const names = ['content-type', 'user-agent', 'webhook-id', 'webhook-timestamp', 'webhook-signature']
  return Object.fromEntries(names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])))
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
