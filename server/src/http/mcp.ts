import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint, EndpointName } from '@rookery/api'
import type { McpHttpHandler, SessionOptions, ToolSet } from '@rookery/mcp'
import { createClient } from '@rookery/sdk'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'
import type { Deps } from '../deps.js'
import { isApiKey } from '../foundation/callers/api-key.js'
import { BAD_TOKEN, bearer } from './auth.js'
import type { Edge } from './bind.js'
import { createOwnFetch } from './own-fetch.js'

// Each message counts as a read. What a tool then calls counts once more, as the same call does by any other way.
const access = { auth: 'optional', limit: 'read' } as const satisfies Pick<Endpoint, 'auth' | 'limit'>

type McpRequest = FastifyRequest<{ Querystring: { tools?: ToolSet } }>

/** What a message passes through before it is answered. */
export interface McpEdge extends Pick<Edge, 'authenticate' | 'rateLimit'> {
  readonly deps: { readonly config: Pick<Config, 'webOrigins' | 'version'>; readonly log: Pick<Deps['log'], 'info'> }
}

/**
 * Serves the Model Context Protocol at /mcp. No session is kept: every request brings its key, so that any instance can
 * answer it. Tools call the service's own routes, so that every rule of a call holds for them as well.
 */
export function serveMcp(
  app: FastifyInstance,
  edge: McpEdge,
  isServed: (name: EndpointName) => boolean,
  load: () => Promise<Pick<typeof import('@rookery/mcp'), 'createMcpHandler' | 'createMcpServer'>> = () =>
    import('@rookery/mcp'),
): void {
  const { config, log } = edge.deps
  let opening: Promise<McpHttpHandler> | undefined
  app.addHook('preClose', async () => (await opening)?.close())

  // Loaded when it is first needed: that takes longer than the rest of a start, and many services have no such callers.
  async function open(): Promise<McpHttpHandler> {
    const { createMcpHandler, createMcpServer } = await load()
    return createMcpHandler(
      ({ authInfo }) => {
        const session = authInfo?.extra as unknown as Pick<SessionOptions, 'client' | 'tools'>
        return createMcpServer({ ...session, version: config.version, isServed: ({ name }) => isServed(name) })
      },
      // Nothing that could be listened to changes while a request is answered.
      { maxSubscriptions: 0, onerror: ({ message }) => log.info({ message }, 'a message of /mcp was refused') },
    )
  }

  app.route<{ Querystring: { tools?: ToolSet } }>({
    method: ['POST', 'GET', 'DELETE'],
    url: '/mcp',
    exposeHeadRoute: false,
    config: { access },
    async onRequest(request, reply) {
      if (!isOwnOrigin(config, request.headers)) throw new Problem('ORIGIN_NOT_ALLOWED')
      readKey(request)
      requireToolSet(request.query)
      const { caller, refusal } = await edge.authenticate(access.auth, request)
      request.caller = caller
      await edge.rateLimit(access as unknown as Endpoint, caller, request, reply)
      if (!refusal) return
      reply.headers(BAD_TOKEN)
      throw refusal
    },
    preSerialization: async (request, _, payload) => toRpcError(request, payload),
    async handler(request, reply) {
      refuseBatch(request.body)
      opening ??= open().catch((error: unknown) => {
        // The next message tries again.
        opening = undefined
        throw error
      })
      const handler = await opening
      const response = await handler.fetch(toWebRequest(request, reply), {
        ...(request.method === 'POST' && { parsedBody: request.body ?? null }),
        authInfo: sessionOf(app, request),
      })
      reply.header('Cache-Control', 'no-store').header('X-Accel-Buffering', 'no')
      return reply.send(response)
    },
  })
}

// A page of another origin must not use what a program on the same machine may. The host has been checked before.
function isOwnOrigin(
  { webOrigins }: { readonly webOrigins: readonly string[] },
  { origin, host }: IncomingHttpHeaders,
): boolean {
  if (origin === undefined || webOrigins.includes(origin)) return true
  return URL.canParse(origin) && new URL(origin).host === host
}

// Programs that speak this protocol can often set nothing but a bearer token.
function readKey(request: FastifyRequest): void {
  for (const [name, value] of Object.entries(request.query as Record<string, unknown>))
    if (typeof value === 'string' && isApiKey(value))
      throw Problem.at(name, 'must not be in the URL; send the key in the header Authorization: Bearer')
  const token = bearer(request)
  if (token === undefined) return
  request.headers['x-api-key'] ??= token
  delete request.headers.authorization
}

function requireToolSet({ tools }: { readonly tools?: unknown }): void {
  if (tools !== undefined && tools !== 'all' && tools !== 'day') throw Problem.at('tools', 'must be all, or left out')
}

function sessionOf(app: FastifyInstance, request: McpRequest) {
  const apiKey = request.headers['x-api-key']
  const isAgent = request.caller.kind === 'agent' && typeof apiKey === 'string'
  const client = createClient({
    baseUrl: 'http://localhost',
    attempts: 1,
    fetch: createOwnFetch(app, request),
    ...(isAgent && { apiKey }),
  })
  const tools: ToolSet = request.query.tools ?? 'day'
  return { token: '', clientId: request.caller.kind, scopes: [], extra: { client, tools } }
}

// The revisions that clients use have no batches; one could hold thousands of calls.
function refuseBatch(body: unknown): void {
  if (Array.isArray(body))
    throw new Problem('INVALID_INPUT', { message: 'Send one message per request, not a list of them.' })
}

function toWebRequest({ raw, headers, method }: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController()
  reply.raw.once('close', () => left.abort())
  const list = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && name !== 'x-api-key' ? [[name, value]] : [],
  )
  return new Request(`http://localhost${raw.url?.replace(/^[^/].*/, '/mcp') ?? '/mcp'}`, {
    method,
    headers: list,
    signal: left.signal,
  })
}

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const INTERNAL_ERROR = -32603

// Who speaks this protocol reads errors of JSON-RPC; ours is inside.
function toRpcError(_: FastifyRequest, payload: unknown): unknown {
  const { statusCode, code, message } = payload as { statusCode?: number; code?: string; message?: string }
  if (statusCode === undefined || code === undefined) return payload
  const number = code === 'INVALID_JSON' ? PARSE_ERROR : statusCode >= 500 ? INTERNAL_ERROR : INVALID_REQUEST
  return { jsonrpc: '2.0', id: null, error: { code: number, message: `${code}: ${message}`, data: payload } }
}
