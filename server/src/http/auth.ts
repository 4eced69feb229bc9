import type { Auth } from '@rookery/api'
import type { FastifyRequest } from 'fastify'
import type { Identities } from '../agents/identity.js'
import { Problem } from '../problem.js'
import type { Caller } from './call.js'
import type { OwnerTokens } from './owner-token.js'

const ANYONE: Caller = { kind: 'anyone' }

/** Who is calling, or why that cannot be said; a refusal is thrown only after the call was counted. */
export type Authentication = { readonly caller: Caller; readonly refusal?: Problem }

/** Finds out who calls, as far as the endpoint wants to know. */
export function createAuthenticate({ identities, ownerTokens }: { identities: Identities; ownerTokens: OwnerTokens }) {
  async function byKey(apiKey: string): Promise<Authentication> {
    const agent = await identities.identify(apiKey)
    return agent ? { caller: { kind: 'agent', agent } } : { caller: ANYONE, refusal: new Problem('INVALID_API_KEY') }
  }

  async function byToken(token: string): Promise<Authentication> {
    const owner = await ownerTokens.verify(token)
    return owner ? { caller: { kind: 'owner', owner } } : { caller: ANYONE, refusal: new Problem('INVALID_TOKEN') }
  }

  return async (auth: Auth, request: FastifyRequest): Promise<Authentication> => {
    if (auth === 'none') return { caller: ANYONE }
    const apiKey = header(request, 'x-api-key')
    const token = bearer(request)
    if (apiKey !== undefined && auth !== 'owner') return byKey(apiKey)
    if (token !== undefined && (auth === 'owner' || auth === 'agent-or-owner')) return byToken(token)
    return auth === 'optional' ? { caller: ANYONE } : { caller: ANYONE, refusal: new Problem('UNAUTHENTICATED') }
  }
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function bearer(request: FastifyRequest): string | undefined {
  return header(request, 'authorization')?.match(/^Bearer +(\S+)$/i)?.[1]
}
