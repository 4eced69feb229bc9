import type { FastifyInstance, FastifyRequest } from 'fastify'

/** The API's answer to an anonymous caller. */
export interface PublicAnswer {
  readonly url: string
  readonly status: number
  /** JSON. */
  readonly body: string
  readonly retryAfter: string | undefined
}

/**
 * Calls the service's own API as the reader of a page would: without a credential, so that nothing private is revealed, and
 * within the reader's own rate limit.
 */
export async function fetchPublicAnswer(
  app: FastifyInstance,
  { ip }: FastifyRequest,
  url: string,
): Promise<PublicAnswer> {
  const answer = await app.inject({ method: 'GET', url, remoteAddress: ip })
  const retryAfter = answer.headers['retry-after']
  return { url, status: answer.statusCode, body: answer.body, retryAfter: retryAfter?.toString() }
}

/** The item in an answer. Undefined for lists, which reserved words of API paths return, as in /profile/trends. */
export function parseItem({ status, body }: PublicAnswer): { readonly id: string } | undefined {
  const answer = status === 200 ? JSON.parse(body) : undefined
  return typeof answer?.id === 'string' ? answer : undefined
}
