import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, DirectReads } from '../../adapters/files/files.js'
import { networkOf } from '../../base/network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { type Caller, callerName } from '../../foundation/callers/caller.js'
import { createCallCounter } from '../../foundation/limits.js'
import { mimeTypeOf } from '../media/file-types.js'
import { type FileRow, findServedFile, type ServedFile } from '../media/queries.js'

// Counted by the route itself.
const open = { access: { auth: 'none', limit: 'none' } } as const

// The name is a hash of the content, so a file never changes. The sandbox keeps browsers from running it.
// What is taken down must leave caches too, so that they ask again within the hour; that is answered without the content.
const FOR_EVERYBODY = 'public, max-age=3600'
const FOR_ONE_READER = 'private, max-age=3600'
// Links into the store. What is taken down can be read by an old one, as from a cache, until it expires.
const PUBLIC_LINK = { seconds: 3600, windowMs: 30 * 60_000 }
const PRIVATE_LINK = { seconds: 15 * 60, windowMs: 5 * 60_000 }
const HEADERS = {
  'Accept-Ranges': 'bytes',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

interface FileRoute {
  Params: { name: string }
  Querystring: { until?: unknown; sig?: unknown }
}

type FileRequest = FastifyRequest<FileRoute>

type MediaDeps = Pick<Deps, 'db' | 'files' | 'log' | 'mediaUrls' | 'identities' | 'limiter' | 'config' | 'clock'>

/** Serves uploaded files, or sends callers to the file store: public ones for everybody, others by signed URLs. */
export function serveMedia(app: FastifyInstance, deps: MediaDeps): void {
  const { db, files, log, mediaUrls, identities, clock } = deps
  const count = createCallCounter(deps)
  app.get<FileRoute>('/media/:name', { config: open, exposeHeadRoute: false, onRequest }, serve)
  app.head<FileRoute>('/media/:name', { config: open, onRequest }, serve)

  async function serve(request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = await findServedFile(db, request.params.name)
    if (!file) throw new Problem('FILE_NOT_FOUND')
    if (!file.isPublic && !mediaUrls.isSigned(file.name, request.query)) throw new Problem('MEDIA_URL_EXPIRED')
    const etag = `"${file.name}"`
    reply.headers(HEADERS).header('ETag', etag)
    reply.header('Cache-Control', file.isPublic ? FOR_EVERYBODY : FOR_ONE_READER)
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    if (files.direct && request.method === 'GET') return sendElsewhere(files.direct, file, request, reply)
    const range = rangeOf(request, file, etag)
    if (range === 'none') return reply.code(416).header('Content-Range', `bytes */${file.size}`).send()
    reply.type(mimeTypeOf(file.name)).header('Content-Length', range ? range.end - range.start + 1 : file.size)
    if (range) reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
    if (request.method === 'HEAD') return reply.send()
    return reply.send(await read(file, range))
  }

  /** Content does not pass through us: the store answers, with ranges too. Who may read it was decided here. */
  async function sendElsewhere(
    direct: DirectReads,
    file: ServedFile,
    { query }: FileRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const now = clock.now().getTime()
    const { seconds, windowMs } = file.isPublic ? PUBLIC_LINK : PRIVATE_LINK
    // The same within a window, so that browsers and CDNs can cache it.
    const from = now - (now % windowMs)
    const until = Math.min(from + seconds * 1000, file.isPublic ? Number.POSITIVE_INFINITY : Number(query.until) * 1000)
    const terms = { from: new Date(from), seconds: Math.ceil((until - from) / 1000) }
    const cacheControl = file.isPublic ? FOR_EVERYBODY : FOR_ONE_READER
    const url = await direct
      .link(file.name, { ...terms, type: mimeTypeOf(file.name), cacheControl })
      .catch((error: Error) => refuse(error))
    const remembered = Math.max(0, Math.floor((until - now) / 1000) - 60)
    reply.header('Cache-Control', `${file.isPublic ? 'public' : 'private'}, max-age=${remembered}`)
    return reply.removeHeader('ETag').redirect(url, 302)
  }

  function refuse(error: Error): never {
    log.warn({ message: error.message }, 'the file store did not answer')
    throw new Problem('NOT_READY', { message: 'The file store does not answer.', retryAfterSeconds: 10 })
  }

  // A class of its own: a page shows many pictures, and a player asks for a video range by range.
  async function onRequest({ headers, ip }: FastifyRequest, reply: FastifyReply): Promise<void> {
    const apiKey = headers['x-api-key']
    const agent = typeof apiKey === 'string' ? await identities.identify(apiKey) : undefined
    const network = networkOf(ip)
    const caller: Caller = agent ? { kind: 'agent', agent } : { kind: 'anyone' }
    await count('media', callerName(caller, network), agent ? undefined : network, (name, value) => {
      reply.header(name, value)
    })
  }

  async function read(file: FileRow, range: ByteRange | undefined) {
    const content = await files.read(file.name, range).catch((error: Error) => refuse(error))
    if (!content) throw new Problem('FILE_NOT_FOUND')
    return content
  }
}

/** The requested range: undefined (the whole file) without a valid range, `none` when the range is outside the file. */
function rangeOf({ headers }: FastifyRequest, { size }: FileRow, etag: string): ByteRange | 'none' | undefined {
  const condition = headers['if-range']
  if (condition !== undefined && condition !== etag) return undefined
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(headers.range ?? '') ?? []
  if (first === '' && last === '') return undefined
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first)
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined
  return start > end ? 'none' : { start, end }
}
