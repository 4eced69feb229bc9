import type { Endpoint } from '@rookery/api'
import { hasEtag, isDocument } from './send-text.js'

type Json = Record<string, unknown>

const text = (description: string): Json => ({ description, schema: { type: 'string' } })
const count = (description: string): Json => ({ description, schema: { type: 'integer', minimum: 0 } })

/** The headers of answers that callers can rely on, for the reference. */
export const responseHeaders = {
  'X-Request-Id': text('Identifies the request in our log; the same as requestId of an error.'),
  RateLimit: text(
    'What is left of the allowance: its class, r calls, and t seconds until it is full again (IETF draft).',
  ),
  'RateLimit-Policy': text('The allowance: its class, q calls in w seconds (IETF draft).'),
  'X-RateLimit-Limit': count('Calls in the allowance.'),
  'X-RateLimit-Remaining': count('Calls that are left.'),
  'X-RateLimit-Reset': count('When the allowance is full again, in unix seconds.'),
  'Retry-After': count('Seconds to wait before trying again.'),
  'Idempotent-Replayed': text('true when this is the stored answer to an earlier call with the same Idempotency-Key.'),
  Location: text('Where to look for the decision.'),
  ETag: text('Identifies the content; send it as If-None-Match.'),
  'Content-Digest': text('SHA-256 of the content (RFC 9530).'),
  'WWW-Authenticate': text(
    'Bearer error="invalid_token" when the token has expired or its session has ended: this is what anyone is answered. Renew it and ask again.',
  ),
  'Skill-Scan': text(
    'What the scan found in this version: clean, or warning with its rules. The bytes of a version never change, so the label is here.',
  ),
} satisfies Record<string, Json>

type HeaderName = keyof typeof responseHeaders

const LIMITS = [
  'RateLimit',
  'RateLimit-Policy',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const

/** References to the headers that an endpoint's answers of a status can carry. */
export function headerRefs(endpoint: Endpoint, status: number): Json {
  const isWrite = endpoint.method !== 'GET'
  const names: HeaderName[] = [
    'X-Request-Id',
    ...(endpoint.limit === 'none' ? [] : LIMITS),
    ...(status === 429 || status === 503 || (status === 409 && isWrite) ? (['Retry-After'] as const) : []),
    ...(isWrite && endpoint.auth !== 'browser' && status < 500 ? (['Idempotent-Replayed'] as const) : []),
    ...(status === 202 && endpoint.charge ? (['Location'] as const) : []),
    ...(endpoint.auth === 'optional' && status < 400 ? (['WWW-Authenticate'] as const) : []),
    ...(hasEtag(endpoint) && (status === 200 || status === 304) ? (['ETag'] as const) : []),
    ...(isDocument(endpoint) && status === 200 ? (['Content-Digest'] as const) : []),
    ...(isDocument(endpoint) && endpoint.tag === 'skills' && status === 200 ? (['Skill-Scan'] as const) : []),
  ]
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
