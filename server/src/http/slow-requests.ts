import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.js'

/** How long a client may take to send a request. */
export interface SendTimes {
  /** For the line and the headers. */
  readonly headersMs: number
  /** For a body. A form may take longer, by its length. */
  readonly bodyMs: number
  /** The least average rate of a form, after the time for a body. */
  readonly formBytesPerSecond: number
  /** For any request. */
  readonly longestMs: number
}

export const SEND_TIMES: SendTimes = {
  headersMs: 15_000,
  bodyMs: 30_000,
  formBytesPerSecond: 16 * 1024,
  // Enough for the largest video over a line of 2.5 Mbit/s.
  longestMs: 30 * 60_000,
}

/** The options by which Node ends requests whose headers do not arrive. */
export function timeoutOptions({ headersMs, longestMs }: SendTimes) {
  return {
    requestTimeout: longestMs,
    // Node looks at all connections this often.
    http: { headersTimeout: headersMs, connectionsCheckingInterval: Math.min(Math.ceil(headersMs / 3), 5_000) },
  }
}

/**
 * Answers 408 when a body does not arrive in time, and closes the connection: a client that sends a byte now and then
 * would hold a connection and its buffers as long as it likes.
 */
export function refuseSlowBodies(app: FastifyInstance, times: SendTimes): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { raw } = request
    if (hasBody(raw)) {
      // Not before what has arrived meanwhile is read: this process may have been busy.
      const expire = () => setImmediate(() => end(request, reply))
      const timer = setTimeout(expire, allowedMs(request, times)).unref()
      raw.once('close', () => clearTimeout(timer))
    }
    next()
  })
}

function end({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (raw.complete) return
  if (reply.sent) return void raw.destroy()
  // Node closes the connection after such an answer, but whoever reads the body would wait for the rest for ever.
  raw.socket.once('close', () => raw.destroy(new Error('the request did not arrive in time')))
  reply.header('Connection', 'close').send(new Problem('REQUEST_TIMEOUT'))
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function allowedMs({ raw, routeOptions }: FastifyRequest, times: SendTimes): number {
  const { bodyMs, formBytesPerSecond, longestMs } = times
  if (!routeOptions.config?.access?.multipart) return bodyMs
  const bytes = Number(raw.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  return Math.min(longestMs, bodyMs + (bytes / formBytesPerSecond) * 1000)
}
