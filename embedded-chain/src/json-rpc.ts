import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, isIP } from 'node:net'

/** A JSON-RPC error. */
export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number
  readonly data: unknown

  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** Answers one call, or throws an RpcError. */
export type RpcHandler = (method: string, params: readonly unknown[]) => Promise<unknown>

/** A listening JSON-RPC server. */
export interface RpcServer {
  readonly port: number
  close(): Promise<void>
}

const HOST = '127.0.0.1'
const MAX_BODY_BYTES = 2_097_152
const MAX_BATCH = 1_000

// Wallets in the browser call from their own pages, whatever page the person looks at.
const WALLET = /^(chrome|moz|safari-web)-extension:\/\/[\w-]+$/
// A page of any other name may have it resolve to this machine, and would then be of the same origin.
const OWN_HOST = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])(:\d*)?$/i

export interface RpcServerOptions {
  /** The pages in a browser that may call, besides wallets. */
  readonly origins?: readonly string[]
  /** The address to listen on; by default only this machine can call. */
  readonly host?: string
  /** Names by which others may call it, besides addresses. */
  readonly names?: readonly string[]
}

/** Serves JSON-RPC 2.0 over HTTP, single calls and batches. Port 0 takes any free one. */
export async function serveJsonRpc(
  port: number,
  handle: RpcHandler,
  { origins = [], host: address = HOST, names }: RpcServerOptions = {},
): Promise<RpcServer> {
  const isAllowed = (origin: string) => origins.includes(origin) || WALLET.test(origin)
  const server = createServer((request, response) => {
    const { origin, host } = request.headers
    if (host !== undefined && !isOwnName(host, names))
      return void response.writeHead(421, { Connection: 'close' }).end()
    if (origin === undefined) return void answer(request, response, handle, {})
    if (isAllowed(origin)) return void answer(request, response, handle, corsHeaders(origin))
    response.writeHead(403, { Vary: 'Origin', Connection: 'close' }).end()
  })
  // Clients keep their connections open; closing an idle one would race with its next request.
  server.keepAliveTimeout = 0
  await new Promise<void>((done, fail) => {
    server.once('error', fail)
    server.listen(port, address, done)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      const closed = new Promise<void>((done) => server.close(() => done()))
      server.closeAllConnections()
      return closed
    },
  }
}

/** With `names` it has been opened to others, who may call it by its address too: no page can give itself that as a name. */
function isOwnName(host: string, names: readonly string[] | undefined): boolean {
  if (OWN_HOST.test(host)) return true
  if (!names || !URL.canParse(`http://${host}`)) return false
  const { hostname } = new URL(`http://${host}`)
  return isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || names.some((name) => name.toLowerCase() === hostname)
}

function corsHeaders(origin: string): Record<string, string> {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Methods': 'POST, OPTIONS',
    'Access-Control-Allow-Headers': '*',
    'Access-Control-Allow-Private-Network': 'true',
    'Access-Control-Max-Age': '600',
    Vary: 'Origin',
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  handle: RpcHandler,
  cors: Record<string, string>,
): Promise<void> {
  if (request.method === 'OPTIONS') return void response.writeHead(204, cors).end()
  if (request.method !== 'POST') return void response.writeHead(405, { ...cors, Allow: 'POST, OPTIONS' }).end()
  const body = await readBody(request).catch(() => undefined)
  if (body === undefined) return void response.writeHead(413, { ...cors, Connection: 'close' }).end()
  const result = await answerBody(body, handle)
  if (result === undefined) return void response.writeHead(204, cors).end()
  const text = Buffer.from(JSON.stringify(result))
  response.writeHead(200, { ...cors, 'Content-Type': 'application/json', 'Content-Length': text.length }).end(text)
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((done, fail) => {
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > MAX_BODY_BYTES) fail(new Error('the body is too large'))
      else chunks.push(chunk)
    })
    request.once('end', () => done(Buffer.concat(chunks).toString()))
    request.once('error', fail)
  })
}

async function answerBody(body: string, handle: RpcHandler): Promise<unknown> {
  let calls: unknown
  try {
    calls = JSON.parse(body)
  } catch {
    return refusal(null, new RpcError(-32700, 'The body is not JSON.'))
  }
  if (!Array.isArray(calls)) return answerCall(calls, handle)
  if (calls.length === 0) return refusal(null, new RpcError(-32600, 'The batch is empty.'))
  if (calls.length > MAX_BATCH) return refusal(null, new RpcError(-32600, `A batch has at most ${MAX_BATCH} calls.`))
  const answers = await Promise.all(calls.map((call) => answerCall(call, handle)))
  const results = answers.filter((answer) => answer !== undefined)
  return results.length > 0 ? results : undefined
}

async function answerCall(call: unknown, handle: RpcHandler): Promise<object | undefined> {
  if (!isCall(call)) return refusal(null, new RpcError(-32600, 'This is not a JSON-RPC 2.0 call.'))
  const { id = null, method, params = [] } = call
  const isNotification = call.id === undefined
  try {
    if (!Array.isArray(params)) throw new RpcError(-32602, 'params must be a list.')
    const result = await handle(method, params)
    return isNotification ? undefined : { jsonrpc: '2.0', id, result }
  } catch (error) {
    return isNotification ? undefined : refusal(id, error)
  }
}

interface Call {
  readonly id?: unknown
  readonly method: string
  readonly params?: unknown
}

function isCall(call: unknown): call is Call {
  return typeof call === 'object' && call !== null && typeof (call as Partial<Call>).method === 'string'
}

function refusal(id: unknown, error: unknown): object {
  const { code = -32603, message, data } = error as Partial<RpcError>
  return { jsonrpc: '2.0', id, error: { code, message, ...(data === undefined ? {} : { data }) } }
}
