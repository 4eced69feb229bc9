import { createHash } from 'node:crypto'
import type { Endpoint } from '@rookery/api'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { varyBy } from '../features/pages/vary-by.js'
import { LabelledText } from '../foundation/labelled-text.js'

const DOCUMENTS: readonly (string | undefined)[] = ['text/markdown', 'text/plain'] satisfies Endpoint['media'][]

/** Whether an endpoint answers with a document, which carries a digest and can be revalidated. */
export function isDocument({ media }: Endpoint): boolean {
  return DOCUMENTS.includes(media)
}

/** Whether a caller that has the answer already can be told so. */
export function hasEtag(endpoint: Endpoint): boolean {
  return isDocument(endpoint) || endpoint.fixed === true
}

// For a page made by the API itself: a form to itself, inline style, no script.
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Sends an answer that is not JSON. A document carries a digest of its content for verification, and an ETag made from it,
 * so that a reader that already has the document gets a 304.
 */
export function sendText(
  { headers, caller }: FastifyRequest,
  reply: FastifyReply,
  endpoint: Endpoint,
  answer: unknown,
) {
  const { media } = endpoint
  if (answer instanceof LabelledText) reply.headers(answer.headers)
  const body = answer instanceof LabelledText ? answer.text : answer
  if (media === 'text/html') reply.header('Content-Security-Policy', PAGE_POLICY)
  if (!isDocument(endpoint) || typeof body !== 'string') return reply.type(typeOf(media)).send(body)
  const digest = createHash('sha256').update(body).digest()
  const etag = `"${digest.toString('base64url')}"`
  reply.header('ETag', etag)
  if (caller.kind !== 'anyone') reply.header('Cache-Control', 'private, no-cache')
  if (endpoint.auth === 'optional') {
    varyBy(reply, 'X-API-Key')
    if (caller.kind === 'anyone') reply.header('Cache-Control', 'no-cache')
  }
  if (matchesEtag(headers['if-none-match'], etag)) return reply.code(304).send()
  return reply
    .header('Content-Digest', `sha-256=:${digest.toString('base64')}:`)
    .type(typeOf(media))
    .send(body)
}

function typeOf(media: Endpoint['media']): string {
  return `${media}; charset=utf-8`
}

function matchesEtag(header: string | undefined, etag: string): boolean {
  const tags = header?.split(',').map((tag) => tag.trim().replace(/^W\//, '')) ?? []
  return tags.includes('*') || tags.includes(etag)
}
