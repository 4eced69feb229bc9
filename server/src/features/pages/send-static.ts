import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaticFile } from '../../foundation/static-file.js'

/** Sends a text that stays the same, compressed for callers that take it so. */
export async function sendStatic(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile<unknown>,
): Promise<FastifyReply> {
  const { headers, body } = await file.answer(request.headers)
  const vary = reply.getHeader('Vary')
  reply.headers(headers).header('Vary', vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`)
  return body ? reply.send(body) : reply.code(304).send()
}
