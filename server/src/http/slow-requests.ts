import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.js'

/** How long a client may take to send a request. */
export interface SendTimes {
  /** For the line and the headers. */
  readonly headersMs: number
  /** For a body. A form may take longer, while it arrives fast enough; it is looked at this often. */
  readonly bodyMs: number
  /** The least average rate of a form that takes longer. */
  readonly formBytesPerSecond: number
  /** For any request. */
  readonly longestMs: number
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Lets the body take as long as a form may, from now on, if it arrives fast enough for the bytes reserved for it. */
    allowLongForm: ((reservedBytes: number) => void) | undefined
  }
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
 * would hold a connection and its buffers as long as it likes. A form gets more time when it has been admitted, and only
 * while it arrives at the least rate, and fast enough to be complete in time, because what it has announced is reserved
 * meanwhile.
 */
export function refuseSlowBodies(app: FastifyInstance, { bodyMs, formBytesPerSecond, longestMs }: SendTimes): void {
  app.decorateRequest('allowLongForm')
  app.addHook('onRequest', (request, reply, next) => {
    const { raw } = request
    if (hasBody(raw)) {
      // Not before what has arrived meanwhile is read: this process may have been busy.
      const afterReading = (check: () => void) => () => setImmediate(check)
      const expire = () => end(request, reply)
      let timer = setTimeout(afterReading(expire), bodyMs).unref()
      raw.once('close', () => clearTimeout(timer))
      request.allowLongForm = (reservedBytes) => {
        if (raw.destroyed) return
        clearTimeout(timer)
        const before = raw.socket.bytesRead
        let elapsedMs = 0
        const check = () => {
          elapsedMs += bodyMs
          const least = Math.max((elapsedMs / 1000) * formBytesPerSecond, (elapsedMs / longestMs) * reservedBytes)
          if (elapsedMs >= longestMs || raw.socket.bytesRead - before < least) expire()
        }
        timer = setInterval(afterReading(check), bodyMs).unref()
      }
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
