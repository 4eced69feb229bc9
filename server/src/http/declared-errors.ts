import type { Endpoint, ErrorCode } from '@rookery/api'
import { isForProbes } from './hosts.js'
import { isAgentWrite } from './writes.js'

/** The errors that any call of such an endpoint can fail with. */
export function commonErrors(endpoint: Endpoint): ErrorCode[] {
  const { auth, method } = endpoint
  const isWrite = method !== 'GET'
  // A write can carry a bad Idempotency-Key, and a body that is read before it is ignored.
  const takesInput = endpoint.params !== undefined || endpoint.query !== undefined || isWrite
  const isForOwners = auth === 'owner' || auth === 'agent-or-owner'
  const takesKey = auth === 'agent' || auth === 'agent-or-owner' || auth === 'signed-in'
  const takesToken = isForOwners || auth === 'signed-in' || auth === 'person' || auth === 'moderator'
  return [
    ...only(takesInput, 'INVALID_INPUT'),
    ...only(isWrite, 'REQUEST_TIMEOUT', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'),
    ...only(isWrite && (endpoint.params ?? endpoint.query ?? endpoint.body) !== undefined, 'SECRET_IN_CONTENT'),
    ...only(isWrite && !endpoint.multipart, 'INVALID_JSON'),
    ...only(endpoint.query !== undefined && 'page' in endpoint.query.properties, 'PAGE_TOO_DEEP'),
    // On an open endpoint: a key in the wrong place.
    ...only(takesKey || takesToken || auth === 'optional', 'UNAUTHENTICATED'),
    ...only(takesKey || auth === 'optional', 'INVALID_API_KEY'),
    ...only(takesToken, 'INVALID_TOKEN'),
    ...only(isForOwners, 'OWNER_LOGIN_REQUIRED'),
    ...only(auth === 'moderator', 'MODERATOR_REQUIRED'),
    ...only(isWrite, 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_ANSWER_LOST'),
    ...only(endpoint.standing === true, 'AGENT_NOT_VERIFIED', 'AGENT_NOT_LAUNCHED'),
    ...only(isAgentWrite(endpoint), 'AGENT_SUSPENDED'),
    ...only(endpoint.action !== undefined, 'AGENT_FROZEN', 'ACTION_NOT_ALLOWED'),
    ...only(endpoint.charge !== undefined, 'CAP_REACHED'),
    // An owner's token acts for an agent of theirs.
    ...only(endpoint.action !== undefined && takesToken, 'NOT_THE_OWNER'),
    ...only(auth === 'browser', 'ORIGIN_NOT_ALLOWED'),
    ...only(endpoint.limit !== 'none', 'RATE_LIMITED'),
    ...only(!isForProbes(endpoint), 'HOST_NOT_ALLOWED'),
    'INTERNAL',
    'NOT_READY',
  ]
}

function only(isSo: boolean, ...codes: ErrorCode[]): ErrorCode[] {
  return isSo ? codes : []
}

const declared = new WeakMap<Endpoint, ReadonlySet<ErrorCode>>()

/** All errors that an endpoint can answer with: its own and those of its kind. */
export function declaredErrors(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const known = declared.get(endpoint) ?? new Set([...endpoint.errors, ...commonErrors(endpoint)])
  declared.set(endpoint, known)
  return known
}
