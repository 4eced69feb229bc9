import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaticFile } from '../../foundation/static-file.js'
import { varyBy } from './vary-by.js'

/** Sends a text that stays the same, compressed for callers that take it so. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile<unknown>,
): Promise<FastifyReply> {
  const { headers, body } = await file.answer(request.headers)
  varyBy(reply.headers(headers), 'Accept-Encoding')
  return body ? reply.send(body) : reply.code(304).send()
}
