import type { FastifyRequest } from 'fastify'
import { Problem } from '../../base/problem.js'
import type { Channels, Handlers, Upgrade } from '../../call.js'
import type { Config } from '../../config/config.js'
import type { Deps } from '../../deps.js'
import { isApiKey } from '../../foundation/callers/api-key.js'
import { callerName } from '../../foundation/callers/caller.js'
import type { Db } from '../../foundation/db/db.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import type { AgentOrOwner } from '../owners/acting-agent.js'
import { getOwnedAgent, listOwnedAgents } from '../owners/queries.js'
import type { Hub } from './hub.js'
import { createSseSink, sseGreeting } from './sse.js'
import { type Credential, createTicket, spendTicket } from './tickets.js'
import { serveWebSocket } from './websocket.js'

type LiveDeps = Pick<Deps, 'config' | 'identities' | 'sessionTokens' | 'db' | 'clock' | 'secrets' | 'log'>

export const liveRoutes = {
  async createTicket({ caller, input, deps }) {
    const bearer = {
      ...(caller.kind !== 'wallet' && { agentId: await chooseAgent(deps.db, caller, input.agentId) }),
      ...(caller.kind !== 'agent' && { sessionId: caller.session.sessionId }),
    }
    const { ticket, expiresAt } = await createTicket(deps, bearer)
    return { ticket, expiresAt: expiresAt.toISOString() }
  },
} satisfies Partial<Handlers>

/** The event stream and the WebSocket. */
export function liveChannels(deps: LiveDeps, hub: Hub, upgrade: Upgrade): Channels {
  const { config, identities } = deps
  const mostBytes = config.STREAM_BUFFER_KB * 1024

  return {
    async streamEvents({ viewer, input }, { request, reply }) {
      refuseSecretsInUrl(request)
      refuseOrigin(config, request)
      const caller = callerName(request.caller, request.ip)
      refuseTooMany(config, hub, caller)
      const resume = lastEventId(request) ?? input.resume
      const { interests, since } = await hub.prepare(viewer, input.topics.split(','), resume)
      reply.hijack()
      const { raw } = reply
      raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as Record<string, string>)
      raw.write(sseGreeting(since))
      const identify = createIdentify(deps, request)
      const endsWithSession = 'session' in request.caller
      const subscription = hub.open({
        caller,
        viewer,
        identify,
        endsWithSession,
        sink: createSseSink(raw, { mostBytes }),
      })
      raw.once('close', () => subscription.close())
      subscription.add(interests)
    },

    async openRealtime({ viewer }, { request, reply }) {
      refuseSecretsInUrl(request)
      refuseOrigin(config, request)
      const caller = callerName(request.caller, request.ip)
      refuseTooMany(config, hub, caller)
      const ticket = ticketOf(request)
      const byTicket = ticket === undefined ? undefined : await authenticate({ ticket })
      const socket = await upgrade(request, reply)
      const byHeader = viewer && {
        viewer,
        identify: createIdentify(deps, request),
        endsWithSession: 'session' in request.caller,
      }
      const credential = byHeader ?? byTicket
      serveWebSocket({ hub, socket, caller, credential, mostBytes, authenticate, onError })
    },
  }

  function onError({ message }: Error): void {
    deps.log.warn({ message }, 'a live connection was cut')
  }

  async function authenticate({ apiKey, ticket }: { apiKey?: string; ticket?: string }): Promise<Credential> {
    if (ticket !== undefined) {
      const credential = await spendTicket(deps, ticket)
      if (!credential) throw new Problem('TICKET_INVALID')
      return credential
    }
    const viewer = apiKey === undefined ? undefined : await identities.identify(apiKey)
    if (!viewer) throw new Problem(apiKey === undefined ? 'UNAUTHENTICATED' : 'INVALID_API_KEY')
    return { viewer, identify: async () => (apiKey === undefined ? undefined : identities.identify(apiKey)) }
  }
}

// Browsers cannot set headers on an upgrade, but they can name subprotocols.
function ticketOf({ headers }: FastifyRequest): string | undefined {
  const offered = headers['sec-websocket-protocol']?.split(',').map((name) => name.trim())
  return offered?.find((name) => name.startsWith(TICKET))?.slice(TICKET.length)
}

const TICKET = 'ticket.'

/** Chooses the agent of a ticket: the calling agent, or one of the calling owner's agents. */
async function chooseAgent(db: Db, caller: AgentOrOwner, agentId?: string): Promise<string> {
  if (caller.kind === 'agent') return caller.agent.id
  if (agentId !== undefined) return (await getOwnedAgent(db, caller.owner, agentId)).id
  const [oldest] = await listOwnedAgents(db, caller.owner)
  if (!oldest) throw new Problem('AGENT_NOT_FOUND')
  return oldest.id
}

const STREAM_HEADERS = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // Otherwise nginx holds events back until its buffer is full.
  'X-Accel-Buffering': 'no',
}

/** Creates a function that finds the viewer of a request again later. */
function createIdentify({ identities, sessionTokens }: LiveDeps, { headers, caller }: FastifyRequest) {
  const apiKey = headers['x-api-key']
  return async (): Promise<Viewer | undefined> => {
    // The connection may outlive the token, but not the session.
    if ('session' in caller) return sessionTokens.find(caller.session.sessionId)
    return typeof apiKey === 'string' ? identities.identify(apiKey) : undefined
  }
}

function lastEventId({ headers }: FastifyRequest): string | undefined {
  const given = headers['last-event-id']
  if (given === undefined || given === '') return undefined
  if (typeof given !== 'string' || !/^[0-9]{1,19}$/.test(given))
    throw Problem.at('Last-Event-ID', 'must be the id of an event')
  return given
}

const SECRETS = ['apikey', 'api_key', 'x-api-key', 'key', 'token', 'access_token', 'ticket', 'authorization']

// URLs end up in logs and browser histories.
function refuseSecretsInUrl({ query }: FastifyRequest): void {
  for (const [name, value] of Object.entries(query as Record<string, unknown>))
    if (SECRETS.includes(name.toLowerCase()) || (typeof value === 'string' && isApiKey(value)))
      throw Problem.at(name, 'must not be in the URL; send the key in the header X-API-Key')
}

function refuseOrigin({ webOrigins }: Config, { headers }: FastifyRequest): void {
  if (headers.origin !== undefined && !webOrigins.includes(headers.origin)) throw new Problem('ORIGIN_NOT_ALLOWED')
}

const FULL_RETRY_SECONDS = 10

function refuseTooMany({ STREAMS_PER_CALLER: most }: Config, hub: Hub, caller: string): void {
  if (most === 0 || hub.count(caller) < most) return
  throw new Problem('RATE_LIMITED', {
    retryAfterSeconds: FULL_RETRY_SECONDS,
    message: `Too many live connections: ${most} at a time are allowed. Close some, or listen to more topics on one.`,
  })
}
