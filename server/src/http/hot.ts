import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Endpoint, LimitClass } from '@rookery/api'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { type Network, networkOf } from '../base/network.js'
import type { Deps } from '../deps.js'
import { hasCallerChanged } from '../foundation/callers/admitted.js'
import type { AgentIdentity } from '../foundation/callers/agent-identities.js'
import { type Caller, callerName, isByNetwork } from '../foundation/callers/caller.js'
import { createCallCounter } from '../foundation/limits.js'
import { createHostCheck } from './hosts.js'
import type { Observe } from './observe-requests.js'
import { createAddressOf, isPlain, keyOf } from './plain-requests.js'
import { createDailyCounter, limitClass } from './rate-limit.js'

/** A call as its handler gets it. */
export interface HotCall {
  readonly input: Record<string, unknown>
  readonly caller: Caller
  readonly address: Network
  readonly requestId: string
}

/** An endpoint that is answered beside the framework as well. */
export interface HotRoute {
  readonly endpoint: Endpoint
  readonly isWrite: boolean
  readInput(request: FastifyRequest): Record<string, unknown>
  /** Whether nothing about the agent needs a closer look. */
  admits(agent: AgentIdentity): boolean
  /** Makes the JSON of the answer; at once if it is kept. */
  answer(call: HotCall): string | Buffer | Promise<string | Buffer>
}

/** What was done to a call before the framework got it. */
export interface Handed {
  readonly requestId: string
  readonly limits: Readonly<Record<string, string>>
  readonly refusal: unknown
}

/** How plain requests of one address are answered. */
interface Learned {
  readonly route: HotRoute
  readonly input: Readonly<Record<string, unknown>>
  /** The member of the input that the end of the path is. */
  readonly idName: string | undefined
  readonly limit: Exclude<LimitClass, 'none'>
  readonly head: Head
}

/** A plain request, and how such requests are answered. */
interface Plain {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly startedAt: number
  readonly like: Learned
  readonly id: string | undefined
  readonly ip: string
}

/** The headers of an answer, names and values in turn, and where the values are. */
interface Head {
  readonly all: readonly string[]
  readonly places: ReadonlyMap<string, number>
}

export interface Hot {
  /** Remembers how the framework answered a plain request, for the next one like it. */
  learn(route: HotRoute, request: FastifyRequest, reply: FastifyReply): void
  handedOver(request: IncomingMessage): Handed | undefined
}

interface HotDeps extends Pick<Deps, 'identities' | 'limiter' | 'config' | 'clock' | 'draining' | 'traffic'> {
  readonly observe: Observe
  readonly noteSeen: (agent: AgentIdentity) => void
  readonly readRequestId: (request: IncomingMessage) => string
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

const ANYONE: Caller = { kind: 'anyone' }
const MOST_LEARNED = 5_000
const LONGEST_URL = 500

/** A right that was taken away in the meantime must not be honoured for longer than a second. */
export const ADMITTED_FOR_MS = 300

/**
 * Answers plain requests of endpoints marked `hot` without the framework, whose routing, objects and hooks cost more than the
 * answer. It answers only what the framework has answered before, with the input, the allowance and the headers of that answer.
 * Everything else is for the framework, and so is the failure of a call: no error is answered in two places.
 */
export function answerHot(app: FastifyInstance, deps: HotDeps): Hot {
  const { identities, config, draining, traffic, observe, noteSeen, readRequestId } = deps
  const count = createCallCounter(deps)
  const countDaily = createDailyCounter(deps)
  const isHostAllowed = createHostCheck(config)
  const addressOf = createAddressOf(config.TRUST_PROXY)
  const learned = new LRUCache<string, Learned>({ max: MOST_LEARNED })
  const heads = new Map<string, Head>()
  const handed = new WeakMap<IncomingMessage, Handed>()
  let isClosing = false
  app.addHook('preClose', async () => {
    isClosing = true
  })
  const isEnding = () => isClosing || draining.isDraining()

  const [framework] = app.server.listeners('request') as Listener[]
  if (!framework) throw new Error('The framework does not listen')
  app.server.off('request', framework)
  app.server.on('request', (request, response) => {
    if (!answer(request, response)) framework(request, response)
  })

  /** Returns false, having done nothing, if the request is for the framework. */
  function answer(request: IncomingMessage, response: ServerResponse): boolean {
    if (isEnding() || !isPlain(request)) return false
    const startedAt = performance.now()
    const { headers } = request
    const apiKey = headers['x-api-key'] as string | undefined
    const { key, id } = keyOf(request)
    const like = learned.get(withCaller(key, apiKey !== undefined))
    const ip = addressOf(request)
    if (!like || ip === undefined || !isHostAllowed(headers.host)) return false
    const plain = { request, response, startedAt, like, id, ip }
    const agent = apiKey === undefined ? undefined : identities.findKept(apiKey)
    if (apiKey === undefined || agent) return serve(plain, agent)
    // Most agents come after minutes: who it is must be asked, with all others who come at this moment.
    const hand = () => framework?.(request, response)
    identities.identify(apiKey).then((found) => (found && !isEnding() && serve(plain, found)) || hand(), hand)
    return true
  }

  /** Returns false, having done nothing, if the agent needs a closer look. */
  function serve({ request, response, startedAt, like, id, ip }: Plain, agent: AgentIdentity | undefined): boolean {
    if (agent && !like.route.admits(agent)) return false
    const caller: Caller = agent ? { kind: 'agent', agent } : ANYONE
    const address = networkOf(ip)
    const requestId = readRequestId(request)
    const { route, limit, head, idName } = like
    const input = idName === undefined ? { ...like.input } : { [idName]: id }
    const limits: Record<string, string> = {}

    const handOver = (refusal?: unknown) => {
      handed.set(request, { requestId, limits, refusal })
      framework?.(request, response)
    }
    const send = (body: string | Buffer) => {
      // Whether the agent still may is asked again. A write asked as it was committed.
      if (agent && !route.isWrite && performance.now() - startedAt > ADMITTED_FOR_MS) return handOver()
      const note = () => {
        const { method = '', headers } = request
        const elapsedMs = performance.now() - startedAt
        const traceparent = headers.traceparent as string | undefined
        const status = response.statusCode
        observe({ id: requestId, method, route: route.endpoint.path, status, elapsedMs, caller, ip, traceparent })
      }
      if (response.closed) return note()
      response.once('close', note)
      const own = { ...limits, 'x-request-id': requestId, 'content-length': String(Buffer.byteLength(body)) }
      response.writeHead(route.endpoint.success, withOwn(head, own))
      response.end(body)
    }
    const make = () => {
      if (agent) noteSeen(agent)
      const body = route.answer({ input, caller, address, requestId })
      if (body instanceof Promise) body.then(send).catch((error) => response.headersSent || fail(error))
      else send(body)
    }
    // A read is made again by the framework, and so is a write of which nothing was done because the caller has changed.
    const fail = (error: unknown) => handOver(route.isWrite && !hasCallerChanged(error) ? error : undefined)

    traffic.count()
    try {
      const name = callerName(caller, address)
      const setHeader = (name: string, value: string | number) => {
        limits[name.toLowerCase()] = String(value)
      }
      const counting = count(limit, name, isByNetwork(caller) ? address : undefined, setHeader)
      const { endpoint } = route
      const counted =
        counting || endpoint.daily ? Promise.resolve(counting).then(() => countDaily(endpoint, caller)) : undefined
      if (counted) counted.then(make, handOver)
      else make()
    } catch (refusal) {
      handOver(refusal)
    }
    return true
  }

  function learn(route: HotRoute, request: FastifyRequest, reply: FastifyReply): void {
    const { raw, caller, query } = request
    const { endpoint } = route
    const hasKey = raw.headers['x-api-key'] !== undefined
    const url = raw.url ?? ''
    if (reply.statusCode !== endpoint.success || url.length > LONGEST_URL || !isPlain(raw)) return
    if (caller.kind !== (hasKey ? 'agent' : 'anyone')) return
    const { key, id } = keyOf(raw)
    if (learned.has(withCaller(key, hasKey)) || (route.isWrite && id === undefined)) return
    const known = endpoint.query?.properties ?? {}
    if (Object.keys(query as object).some((name) => !Object.hasOwn(known, name))) return
    const input = route.readInput(request)
    const [idName, ...others] = Object.keys(input)
    // An answer of which `fields` chose the members is cut from a whole one.
    if ('fields' in input || (id !== undefined && (others.length > 0 || input[idName ?? ''] !== id))) return
    const head = readHead(reply, heads)
    const limit = limitClass(endpoint, query)
    if (!head || limit === 'none') return
    learned.set(withCaller(key, hasKey), { route, input, limit, head, idName: id === undefined ? undefined : idName })
  }

  return { learn, handedOver: (request) => handed.get(request) }
}

// No address has a space in it.
function withCaller(key: string, hasKey: boolean): string {
  return hasKey ? `${key} key` : key
}

// Of a connection that ends, or of one caller.
const NEVER_ALIKE = ['connection', 'set-cookie', 'www-authenticate', 'retry-after', 'etag']

const EACH = /^(x-request-id|content-length|ratelimit|x-ratelimit-.*)$/

/** Reads the headers that are the same for all such answers. Those of an endpoint are kept once for all its addresses. */
function readHead(reply: FastifyReply, heads: Map<string, Head>): Head | undefined {
  const headers = reply.getHeaders()
  if (NEVER_ALIKE.some((name) => headers[name] !== undefined)) return undefined
  const entries = Object.entries(headers).map(([name, value]) => [name, EACH.test(name) ? '' : String(value)] as const)
  const key = JSON.stringify(entries)
  const head = heads.get(key) ?? {
    all: entries.flat(),
    places: new Map(entries.map(([name], index) => [name, 2 * index + 1])),
  }
  heads.set(key, head)
  return head
}

function withOwn({ all, places }: Head, values: Readonly<Record<string, string>>): string[] {
  const own = all.slice()
  for (const name in values) {
    const place = places.get(name)
    if (place !== undefined) own[place] = values[name] ?? ''
  }
  return own
}
