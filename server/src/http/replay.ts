import type { Endpoint, EndpointName } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.js'
import { isApiKey } from '../foundation/callers/api-key.js'
import { callerName } from '../foundation/callers/caller.js'
import { type Attempt, credentialScope, type Idempotency, type StoredAnswer } from '../foundation/idempotency.js'
import type { Secrets } from '../foundation/secrets.js'
import { fingerprintOf } from './form.js'
import { issuesCredential, isUnguessable, UNGUESSABLE } from './unguessable.js'

/** The part of the edge that repeats answers. */
interface ReplayEdge {
  readonly idempotency: Idempotency
  readonly deps: { readonly secrets: Secrets }
}

/** A serializer for what is text already. */
export const asIs = (body: unknown) => body as string

/** Answers a repeated call with the stored answer, or claims its Idempotency-Key. */
export async function replay(
  edge: ReplayEdge,
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<unknown> {
  const attempt = attemptOf(edge, name, endpoint, request)
  if (!attempt) return
  const stored = await edge.idempotency.begin(attempt)
  if (!stored) {
    request.attempt = attempt
    return
  }
  return sendStored(reply, stored)
}

/** Answers a refused call again when it is the one that replaced its key. */
export async function replayToReplacedKey(
  edge: ReplayEdge,
  name: EndpointName,
  endpoint: Endpoint,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply | undefined> {
  const apiKey = request.headers['x-api-key']
  if (!endpoint.replacesKey || typeof apiKey !== 'string' || !isApiKey(apiKey)) return undefined
  const attempt = hasFittingKey(endpoint, request) && attemptOf(edge, name, endpoint, request)
  const stored = attempt && (await edge.idempotency.findForReplaced(attempt))
  return stored ? sendStored(reply, stored) : undefined
}

function sendStored(reply: FastifyReply, stored: StoredAnswer): FastifyReply {
  reply.code(stored.status).header('Cache-Control', 'no-store')
  reply.header('Idempotent-Replayed', 'true').type('application/json; charset=utf-8')
  if (stored.status === 202) setLocation(reply, stored.body)
  return reply.serializer(asIs).send(stored.body)
}

function setLocation(reply: FastifyReply, body: string): void {
  const { url } = JSON.parse(body) as { readonly url?: string }
  if (url !== undefined) reply.header('Location', url)
}

/** Stores the answer to a call that claimed its Idempotency-Key. */
export async function storeAnswer(
  edge: ReplayEdge,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  const { attempt, form, slot } = request
  // A form that was not read completely, and one that was sent before, do not count.
  const isCharged = form !== undefined && !reply.hasHeader('Idempotent-Replayed')
  // Without the refund the agent has less for the rest of the day, but its answer stands.
  await slot
    ?.release({ isCharged })
    .catch((error: Error) => request.log.warn({ message: error.message }, 'an upload was not refunded'))
  await form?.remove()
  if (!attempt) return payload
  request.attempt = undefined
  const { idempotency } = edge
  const mayRepeat = reply.statusCode >= 500 || reply.statusCode === 429
  const work = mayRepeat
    ? idempotency.abandon(attempt)
    : idempotency.finish(attempt, { status: reply.statusCode, body: String(payload ?? '') })
  // The call has taken effect, so it succeeds even if its answer cannot be stored.
  await work.catch((error: Error) => request.log.warn({ message: error.message }, 'an answer was not kept for its key'))
  return payload
}

const KEY_SHAPE = /^[\x21-\x7e]{1,255}$/

function hasFittingKey(endpoint: Endpoint, { headers }: FastifyRequest): boolean {
  const key = headers['idempotency-key']
  return typeof key === 'string' && KEY_SHAPE.test(key) && (!issuesCredential(endpoint) || isUnguessable(key))
}

function attemptOf(
  { deps }: ReplayEdge,
  name: string,
  endpoint: Endpoint,
  request: FastifyRequest,
): Attempt | undefined {
  const key = request.headers['idempotency-key'] as string | undefined
  // A replayed answer would come without its cookies.
  if (endpoint.method === 'GET' || endpoint.auth === 'browser' || key === undefined) return undefined
  if (!hasFittingKey(endpoint, request))
    throw Problem.at(
      'Idempotency-Key',
      issuesCredential(endpoint) ? UNGUESSABLE : 'must be 1 to 255 visible ASCII characters',
    )
  const apiKey = endpoint.replacesKey ? request.headers['x-api-key'] : undefined
  const credential = typeof apiKey === 'string' ? apiKey : undefined
  const caller = credential ? credentialScope(deps.secrets, credential) : scopeOf(request)
  return {
    scope: `${caller} ${name}`,
    key,
    credential,
    request: `${request.url}\n${request.form ? fingerprintOf(request.form) : JSON.stringify(request.body ?? {})}`,
    requestId: request.id,
    action: name,
    agentId: request.caller.kind === 'agent' ? request.caller.agent.id : undefined,
  }
}

/** Callers with one address share its limits, but not the answers to their keys. */
function scopeOf({ caller, ip }: FastifyRequest): string {
  return caller.kind === 'wallet' ? `wallet:${caller.wallet}` : callerName(caller, ip)
}
