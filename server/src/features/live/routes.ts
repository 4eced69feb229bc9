import type { FastifyRequest } from 'fastify'
import type { Hold } from '../../base/holds.js'
import type { Network } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Channels, Handlers, Upgrade } from '../../call.js'
import type { Config } from '../../config/config.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { isApiKey } from '../../foundation/callers/api-key.js'
import { type Caller, callerName } from '../../foundation/callers/caller.js'
import type { Db } from '../../foundation/db/db.js'
import type { Viewer } from '../../foundation/db/visibility.js'
import { createCallCounter, LINES_PER_SITE } from '../../foundation/limits.js'
import type { AgentOrOwner } from '../owners/acting-agent.js'
import { getOwnedAgent, listOwnedAgents } from '../owners/queries.js'
import type { Hub } from './hub.js'
import { placeKeys } from './readers.js'
import { createSseSink, sseGreeting } from './sse.js'
import { type Credential, createTicket, spendTicket } from './tickets.js'
import { serveWebSocket } from './websocket.js'

type LiveDeps = Pick<
  Deps,
  'config' | 'identities' | 'sessionTokens' | 'db' | 'clock' | 'secrets' | 'limiter' | 'holds' | 'log'
>

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
  const { config, identities, holds } = deps
  const count = createCallCounter(deps)
  const mostBytes = config.STREAM_BUFFER_KB * 1024

  return {
    async streamEvents({ viewer, input, address }, { request, reply }) {
      refuseSecretsInUrl(request)
      refuseOrigin(config, request)
      await admit(request.caller, address, async (caller) => {
        const resume = lastEventId(request) ?? input.resume
        const { interests, since } = await hub.prepare(viewer, input.topics.split(','), resume)
        reply.hijack()
        const { raw } = reply
        // The client has left meanwhile, and nobody would close the subscription.
        if (raw.closed) return
        raw.writeHead(200, { ...reply.getHeaders(), ...STREAM_HEADERS } as Record<string, string>)
        raw.write(sseGreeting(since))
        const identify = createIdentify(deps, request)
        const subscription = hub.open({
          caller,
          address,
          charged: caller,
          viewer,
          identify,
          sessionId: sessionIdOf(request.caller),
          sink: createSseSink(raw, { mostBytes }),
        })
        raw.once('close', () => subscription.close())
        subscription.add(interests)
      })
    },

    async openRealtime({ viewer, address }, { request, reply }) {
      refuseSecretsInUrl(request)
      refuseOrigin(config, request)
      await admit(request.caller, address, async (caller) => {
        const ticket = ticketOf(request)
        const byTicket = ticket === undefined ? undefined : await authenticate({ ticket })
        const socket = await upgrade(request, reply)
        if (!socket) return
        const byHeader = viewer && {
          viewer,
          caller: request.caller,
          identify: createIdentify(deps, request),
          sessionId: sessionIdOf(request.caller),
        }
        const credential = byHeader ?? byTicket
        const charge = async (who: string) =>
          count('read', who, who === callerName({ kind: 'anyone' }, address) ? address : undefined)
        serveWebSocket({ hub, socket, caller, address, credential, mostBytes, authenticate, charge, onError })
      })
    },
  }

  /**
   * Opens a connection, with the name under which it is counted. Refuses a suspended agent, and one connection too many:
   * those that are still opening count, or any number could pass the limit at the same moment.
   */
  async function admit(caller: Caller, network: Network, open: (name: string) => Promise<void>): Promise<void> {
    if (caller.kind === 'agent') refuseSuspended(caller.agent)
    const name = callerName(caller, network)
    const keys = placeKeys({ caller: name, address: network })
    const { STREAMS_PER_CALLER: ofCaller, STREAMS_PER_ADDRESS: ofAddress } = config
    const most = [ofCaller, ofAddress, ofAddress * LINES_PER_SITE]
    refuseTooMany(await holds.take(keys.map((key, index) => ({ key, most: most[index] || Number.MAX_SAFE_INTEGER }))))
    try {
      await open(name)
    } finally {
      // What has opened counts by itself.
      holds.give(keys)
    }
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
    if (!viewer || apiKey === undefined) throw new Problem(apiKey === undefined ? 'UNAUTHENTICATED' : 'INVALID_API_KEY')
    refuseSuspended(viewer)
    return { viewer, caller: { kind: 'agent', agent: viewer }, identify: () => findUnsuspended(deps, apiKey) }
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
function createIdentify(deps: LiveDeps, { headers, caller }: FastifyRequest) {
  const apiKey = headers['x-api-key']
  return async (): Promise<Viewer | undefined> => {
    // The connection may outlive the token, but not the session.
    if ('session' in caller) return deps.sessionTokens.find(caller.session.sessionId)
    return typeof apiKey === 'string' ? findUnsuspended(deps, apiKey) : undefined
  }
}

async function findUnsuspended({ identities }: LiveDeps, apiKey: string): Promise<AgentIdentity | undefined> {
  const agent = await identities.identify(apiKey)
  return agent?.status === 'suspended' ? undefined : agent
}

function refuseSuspended({ status }: AgentIdentity): void {
  if (status !== 'suspended') return
  throw new Problem('AGENT_SUSPENDED', {
    message: 'The operator has suspended this agent. It can read with calls, but has no live connections.',
  })
}

function sessionIdOf(caller: Caller): string | undefined {
  return 'session' in caller ? caller.session.sessionId : undefined
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

function refuseTooMany(full: Hold | undefined): void {
  if (!full) return
  throw new Problem('RATE_LIMITED', {
    retryAfterSeconds: FULL_RETRY_SECONDS,
    message: `Too many live connections: ${full.most} at a time are allowed. Close some, or listen to more topics on one.`,
  })
}
