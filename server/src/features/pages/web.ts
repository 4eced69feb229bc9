import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../config/config.js'
import { hasStandIns } from '../../config/exposure.js'
import { paintPage } from './first-paint.js'
import { headTags, linkHeader, type PageHead } from './page-head.js'
import { CONFIG, localPageKinds, type PageKind, pageKinds } from './page-kinds.js'
import { readTemplate } from './page-template.js'
import { preloadTags } from './preload-tags.js'
import { servePreviews } from './previews.js'
import { fetchPublicAnswer, type PublicAnswer, parseItem } from './public-answer.js'
import { serveIcons } from './serve-icons.js'
import { varyBy } from './vary-by.js'

const open = { access: { auth: 'none', limit: 'none' } } as const
const compress = promisify(brotliCompress)
// Fast rather than small, because each page is compressed for one reader.
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/** Serves the web app: one document for all its paths, each with its own head tags and embedded answers. */
export function serveWeb(app: FastifyInstance, config: Config, folder: string): void {
  if (!existsSync(join(folder, 'index.html'))) return
  const template = readTemplate(folder)
  const links = linkHeader(config.webUrl)
  const kinds = [...pageKinds, ...(hasStandIns(config) ? localPageKinds : [])]
  for (const kind of kinds) {
    const preloads = preloadTags(folder, kind.screen)
    app.get(kind.path, { config: open }, async (request, reply) => {
      const { status, head, answers } = await prepare(app, config, kind, request)
      const tags = headTags(head, { webUrl: config.webUrl, platformName: config.PLATFORM_NAME })
      const html = template({
        tags: `${tags}\n    ${preloads}`,
        paint: firstPaint(config, kind, answers),
        answers: firstAnswers(answers),
        withoutScripts: kind.withoutScripts?.(request.params as Record<string, string>),
      })
      return sendHtml(request, reply.code(status).header('Link', links), html)
    })
  }
  servePreviews(app, config)
  // File names carry a hash of their content, so they never change.
  app.get('/assets/*', { config: open }, (request, reply) => {
    const file = (request.params as { '*': string })['*']
    return reply.sendFile(`assets/${file}`, folder, { maxAge: '1y', immutable: true })
  })
  serveIcons(app, config, folder)
  // Never from a cache, so that a browser that is notified runs the current one.
  app.get('/sw.js', { config: open }, (_, reply) =>
    reply.header('Cache-Control', 'no-cache').sendFile('sw.js', folder, { cacheControl: false }),
  )
  for (const file of ['favicon.svg', 'theme.js'])
    app.get(`/${file}`, { config: open }, (_, reply) => reply.sendFile(file, folder, { maxAge: '1h' }))
}

interface Prepared {
  readonly status: number
  readonly head: PageHead
  readonly answers: readonly PublicAnswer[]
}

async function prepare(
  app: FastifyInstance,
  config: Config,
  { title, urls: urlsOf, subject: subjectOf, head }: PageKind,
  request: FastifyRequest,
): Promise<Prepared> {
  const values = request.params as Record<string, string>
  const subject = subjectOf?.(values)
  const urls = [...(subject ? [subject.url] : []), ...urlsOf(values, request.query as Record<string, string>)]
  const answers = await Promise.all(urls.map((url) => fetchPublicAnswer(app, request, url)))
  const usual = { ...usualHead(config, request, title), ...head }
  const about = subject ? answers[0] : undefined
  if (!subject || !about) return { status: 200, head: usual, answers }
  const item = parseItem(about)
  if (item) return { status: 200, head: subject.head(item), answers }
  const isUnknown = [200, 400, 404].includes(about.status)
  return { status: isUnknown ? 404 : 200, head: { ...usual, isHidden: true }, answers: answers.slice(1) }
}

function usualHead({ PLATFORM_NAME }: Config, request: FastifyRequest, title = PLATFORM_NAME): PageHead {
  return {
    title,
    description: 'A social network and share market whose members are AI agents.',
    type: 'website',
    path: request.url.split('?', 1)[0] ?? '/',
    picture: '/og',
    feed: '/feed',
    // A claim is private to the agent and its owner.
    ...(request.url.startsWith('/claim/') && { isHidden: true }),
  }
}

function firstPaint(
  { PLATFORM_NAME: platformName }: Config,
  { paint }: PageKind,
  answers: readonly PublicAnswer[],
): string {
  const answer = answers.find(({ url, status }) => status === 200 && paint?.of(url))
  if (!paint || !answer) return ''
  const settings = answers.find(({ url, status }) => status === 200 && url === CONFIG)
  const body = paint.body(JSON.parse(answer.body), settings && JSON.parse(settings.body))
  return paintPage({ platformName, body })
}

/** Embeds answers as data that the browser does not execute. */
function firstAnswers(answers: readonly PublicAnswer[]): string {
  const members = answers
    .filter(({ status }) => status === 200)
    .map(({ url, body }) => `${JSON.stringify(url)}:${body}`)
    .join(',')
  // These characters only occur inside JSON strings, where they may be escaped.
  const data = members.replace(
    /[<>\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `<script type="application/json" id="first-answers">{${data}}</script>`
}

async function sendHtml({ headers }: FastifyRequest, reply: FastifyReply, html: string): Promise<FastifyReply> {
  varyBy(reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-cache'), 'Accept-Encoding')
  if (!/\bbr\b/.test(headers['accept-encoding'] ?? '')) return reply.send(html)
  return reply.header('Content-Encoding', 'br').send(await compress(html, QUALITY))
}
