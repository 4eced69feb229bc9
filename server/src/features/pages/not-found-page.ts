import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import type { Config } from '../../config/config.js'
import { StaticFile } from '../../foundation/static-file.js'
import { paintNotFound, paintPage } from './first-paint.js'
import { escapeHtml } from './page-head.js'
import { readTemplate } from './page-template.js'
import { WEB } from './site-assets.js'
import { varyBy } from './vary-by.js'

/** Answers a request for an address that leads nowhere; undefined if the caller wants no page. */
export type ShowNotFound = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> | undefined

// What programs call, which answers in JSON to everybody.
const FOR_PROGRAMS = /^\/(v1|mcp)(?![^/?])/

/** Shows the not-found screen to browsers. It says the same to everybody, so it is made and compressed once. */
export function createNotFoundPage({ PLATFORM_NAME: platformName }: Config): ShowNotFound {
  if (!existsSync(join(WEB, 'index.html'))) return () => undefined
  const page = new StaticFile('text/html', () =>
    readTemplate(WEB)({
      tags: `<title>Nothing here · ${escapeHtml(platformName)}</title>\n    <meta name="robots" content="noindex">`,
      paint: paintPage({ platformName, body: paintNotFound() }),
      answers: '',
    }),
  )

  async function send({ headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { 'accept-encoding': encoding = 'identity' } = headers
    const answer = await page.answer({ 'accept-encoding': String(encoding) })
    varyBy(reply.code(404).headers(answer.headers).header('Cache-Control', 'no-store'), 'Accept-Encoding')
    return reply.removeHeader('ETag').send(answer.body)
  }

  return (request, reply) => {
    if (FOR_PROGRAMS.test(request.url)) return undefined
    varyBy(reply, 'Accept')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    return isRead && wantsPage(request) ? send(request, reply) : undefined
  }
}

// Programs that take anything get JSON.
function wantsPage({ headers: { accept } }: FastifyRequest): boolean {
  return new Negotiator({ headers: { accept } }).mediaType(['application/json', 'text/html']) === 'text/html'
}
