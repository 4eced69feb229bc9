import type { Auth } from '@rookery/api'
import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.js'
import type { Config } from '../config/config.js'
import type { Identities } from '../foundation/callers/agent-identities.js'
import { type Caller, callerOf } from '../foundation/callers/caller.js'
import { isModeratorWallet } from '../foundation/callers/moderators.js'
import type { SessionTokens } from '../foundation/callers/session-tokens.js'
import type { Db } from '../foundation/db/db.js'
import { explainWrongKey, findMisplacedKey } from './misplaced-key.js'

const ANYONE: Caller = { kind: 'anyone' }

/** The caller, or why there is none. A refusal is thrown only after the call has been counted. */
export type Authentication = {
  readonly caller: Caller
  readonly refusal?: Problem
  /** Whose allowance the call counts against, if not the caller's. */
  readonly counted?: Caller
  /** Whether there was a token that is not valid, on an endpoint that is open to anyone. */
  readonly hasBadToken?: boolean
}

/** The header of an answer to a token that is not valid. On one that is no refusal it says that another token may change it (RFC 9110, 11.6.1). */
export const BAD_TOKEN = { 'WWW-Authenticate': 'Bearer realm="rookery", error="invalid_token"' }

/** Identifies the caller as far as the endpoint requires it. */
export function createAuthenticate({
  identities,
  sessionTokens,
  config,
  db,
}: {
  identities: Identities
  sessionTokens: SessionTokens
  config: Pick<Config, 'webOrigins' | 'MODERATOR_WALLETS'>
  db: Db
}) {
  async function byKey(apiKey: string): Promise<Authentication> {
    const agent = await identities.identify(apiKey)
    return agent ? { caller: { kind: 'agent', agent } } : { caller: ANYONE, refusal: explainWrongKey(apiKey) }
  }

  async function byToken(token: string): Promise<Authentication> {
    const session = await sessionTokens.identify(token)
    return session ? { caller: callerOf(session) } : { caller: ANYONE, refusal: new Problem('INVALID_TOKEN') }
  }

  async function byOwnersToken(token: string): Promise<Authentication> {
    const { caller, refusal } = await byToken(token)
    if (refusal || caller.kind === 'owner') return { caller, ...(refusal && { refusal }) }
    return { caller, refusal: new Problem('OWNER_LOGIN_REQUIRED') }
  }

  async function byModeratorsToken(token: string): Promise<Authentication> {
    const { caller, refusal } = await byToken(token)
    const isModerator = 'session' in caller && (await isModeratorWallet({ config, db }, caller.session.wallet))
    if (refusal || isModerator) return { caller, ...(refusal && { refusal }) }
    return { caller, refusal: new Problem('MODERATOR_REQUIRED') }
  }

  // Without authentication a key still decides whose allowance counts: many agents may share an address.
  async function identifyForLimits(apiKey: string): Promise<Authentication> {
    const agent = await identities.identify(apiKey).catch(() => undefined)
    return { caller: ANYONE, counted: agent ? { kind: 'agent', agent } : ANYONE }
  }

  // Browsers send the origin of every request that is not a plain GET, and pages cannot forge it.
  function byOrigin(origin: string | undefined): Authentication {
    const isOwn = origin !== undefined && config.webOrigins.includes(origin)
    return isOwn ? { caller: ANYONE } : { caller: ANYONE, refusal: new Problem('ORIGIN_NOT_ALLOWED') }
  }

  return async (auth: Auth, request: FastifyRequest): Promise<Authentication> => {
    if (auth === 'browser') return byOrigin(header(request, 'origin'))
    const apiKey = header(request, 'x-api-key')
    const token = bearer(request)
    if (auth === 'none') return apiKey === undefined ? { caller: ANYONE } : identifyForLimits(apiKey)
    const isForPeople = auth === 'owner' || auth === 'person' || auth === 'moderator'
    const misplaced = apiKey === undefined && !isForPeople ? findMisplacedKey(request) : undefined
    if (misplaced) return { caller: ANYONE, refusal: misplaced }
    if (auth === 'moderator' && token !== undefined) return byModeratorsToken(token)
    if (apiKey !== undefined && !isForPeople) return byKey(apiKey)
    if (token !== undefined && (auth === 'signed-in' || auth === 'person')) return byToken(token)
    if (token !== undefined && (auth === 'owner' || auth === 'agent-or-owner')) return byOwnersToken(token)
    // An open endpoint answers to an invalid token as to anyone, and says so.
    if (token !== undefined && auth === 'optional') {
      const { caller, refusal } = await byToken(token)
      return { caller, hasBadToken: refusal !== undefined }
    }
    return auth === 'optional' ? { caller: ANYONE } : { caller: ANYONE, refusal: new Problem('UNAUTHENTICATED') }
  }
}

function header(request: FastifyRequest, name: string): string | undefined {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The token of `Authorization: Bearer`. */
export function bearer(request: FastifyRequest): string | undefined {
  return header(request, 'authorization')?.match(/^Bearer +(\S+)$/i)?.[1]
}
