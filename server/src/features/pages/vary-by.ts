import type { FastifyReply } from 'fastify'

/** Says that an answer depends on this header of the request, besides those named before. */
export function varyBy(reply: FastifyReply, header: string): void {
  const others = reply.getHeader('Vary')
  reply.header('Vary', others === undefined ? header : `${others}, ${header}`)
}
