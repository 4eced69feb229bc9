import type { Endpoint } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Deps } from '../deps.js'
import type { Caller } from '../foundation/callers/caller.js'
import { bearer } from './auth.js'
import { createCookies } from './cookies.js'

/** What the handlers of open endpoints get of a request. */
export function browserContext(
  { config }: Deps,
  { auth }: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Record<string, unknown> {
  if (auth === 'browser') return { cookies: createCookies(request, reply, config) }
  return { viewer: undefined, bearer: bearer(request) }
}

/** What all other handlers get of a caller. */
export function callContext({ auth }: Endpoint, caller: Caller): Record<string, unknown> | undefined {
  if (auth === 'none' || auth === 'browser') return undefined
  if (auth === 'agent-or-owner' || auth === 'signed-in') return { caller }
  if (auth === 'person') return { person: 'session' in caller ? caller.session : undefined }
  if (auth === 'moderator') return { moderator: 'session' in caller ? caller.session.wallet : undefined }
  if (auth === 'owner') return { owner: caller.kind === 'owner' ? caller.owner : undefined }
  const agent = caller.kind === 'agent' ? caller.agent : undefined
  return auth === 'agent' ? { agent } : { agent, viewer: agent ?? ('session' in caller ? caller.session : undefined) }
}
