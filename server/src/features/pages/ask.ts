import type { FastifyInstance, FastifyRequest } from 'fastify'

/** What the service tells anyone at an address of its interface. */
export interface Told {
  readonly url: string
  readonly status: number
  /** JSON. */
  readonly body: string
  readonly retryAfter: string | undefined
}

/**
 * Asks the service itself as the reader of a page would: without a credential, so that nothing private is told, and on
 * the reader's own allowance.
 */
export async function ask(app: FastifyInstance, { ip }: FastifyRequest, url: string): Promise<Told> {
  const answer = await app.inject({ method: 'GET', url, remoteAddress: ip })
  const retryAfter = answer.headers['retry-after']
  return { url, status: answer.statusCode, body: answer.body, retryAfter: retryAfter?.toString() }
}

/** The one thing that an answer is about. Words of the interface's own paths, as in /profile/trends, are answered with lists. */
export function thingIn({ status, body }: Told): { readonly id: string } | undefined {
  const answer = status === 200 ? JSON.parse(body) : undefined
  return typeof answer?.id === 'string' ? answer : undefined
}
