import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import { Problem } from '../base/problem.js'
import type { Upgrade } from '../call.js'

const MOST_BYTES = 65_536
/** The only subprotocol that the server supports. */
const SUBPROTOCOL = 'rookery'

interface Upgrading {
  readonly socket: Duplex
  readonly head: Buffer
  readonly response: ServerResponse
}

/**
 * Sends WebSocket requests through the normal routing, so that they are authenticated, counted and refused like all
 * others; only then is the connection upgraded.
 */
export function acceptUpgrades(app: FastifyInstance): Upgrade {
  const upgrading = new WeakMap<IncomingMessage, Upgrading>()
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  })

  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    // Nothing would read a body after this point.
    if (request.method !== 'GET') return void socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    response.assignSocket(socket as Socket)
    response.once('finish', () => socket.end())
    upgrading.set(request, { socket, head, response })
    app.routing(request, response)
  })

  return (request, reply) => {
    const { raw } = request
    const pending = upgrading.get(raw)
    if (!pending || raw.headers.upgrade?.toLowerCase() !== 'websocket')
      throw new Problem('INVALID_INPUT', { message: 'This is for WebSockets. Send an upgrade request.' })
    reply.hijack()
    // The connection that follows has no end worth waiting for.
    request.span?.end({ attributes: { 'http.response.status_code': 101 } })
    pending.response.detachSocket(pending.socket as Socket)
    return new Promise((resolve) => {
      // A request that is no proper handshake, or whose client has left, is never upgraded.
      const giveUp = () => resolve(undefined)
      if (pending.socket.destroyed) return giveUp()
      pending.socket.once('close', giveUp)
      server.handleUpgrade(raw, pending.socket, pending.head, (socket) => {
        pending.socket.off('close', giveUp)
        resolve(socket)
      })
    })
  }
}
