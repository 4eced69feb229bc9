import { type IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { WebSocketServer } from 'ws'
import { Problem } from '../base/problem.js'
import type { Upgrade } from '../call.js'

const MOST_BYTES = 65_536
/** The subprotocol that the server speaks. */
const SUBPROTOCOL = 'rookery'

interface Upgrading {
  readonly socket: Duplex
  readonly head: Buffer
  readonly response: ServerResponse
}

/**
 * Lets requests for a WebSocket take the way of all others, so that they are routed, authenticated, counted and refused
 * alike; only then is the connection upgraded.
 */
export function takeUpgrades(app: FastifyInstance): Upgrade {
  const upgrading = new WeakMap<IncomingMessage, Upgrading>()
  const server = new WebSocketServer({
    noServer: true,
    maxPayload: MOST_BYTES,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(SUBPROTOCOL) ? SUBPROTOCOL : false),
  })

  app.server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy())
    // Nobody reads a body after this.
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
    const it = upgrading.get(raw)
    if (!it || raw.headers.upgrade?.toLowerCase() !== 'websocket')
      throw new Problem('INVALID_INPUT', { message: 'This is for WebSockets. Send an upgrade request.' })
    reply.hijack()
    it.response.detachSocket(it.socket as Socket)
    return new Promise((resolve) => server.handleUpgrade(raw, it.socket, it.head, resolve))
  }
}
