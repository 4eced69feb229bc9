import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange } from '../../adapters/files/files.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { mimeTypeOf } from '../media/file-types.js'
import { type FileRow, findFile } from '../media/queries.js'

const open = { access: { auth: 'none', limit: 'none' } } as const

// The name is a hash of the content, so a file never changes. The sandbox keeps browsers from running it.
const HEADERS = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Accept-Ranges': 'bytes',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
}

type FileRequest = FastifyRequest<{ Params: { name: string } }>

/** Serves uploaded files from the file store. */
export function serveMedia(app: FastifyInstance, { db, files, log }: Pick<Deps, 'db' | 'files' | 'log'>): void {
  app.get<{ Params: { name: string } }>('/media/:name', { config: open, exposeHeadRoute: false }, serve)
  app.head<{ Params: { name: string } }>('/media/:name', { config: open }, serve)

  async function serve(request: FileRequest, reply: FastifyReply): Promise<FastifyReply> {
    const file = await findFile(db, request.params.name)
    if (!file) throw new Problem('FILE_NOT_FOUND')
    const etag = `"${file.name}"`
    reply.headers(HEADERS).header('ETag', etag)
    if (request.headers['if-none-match']?.includes(etag)) return reply.code(304).send()
    const range = rangeOf(request, file, etag)
    if (range === 'none') return reply.code(416).header('Content-Range', `bytes */${file.size}`).send()
    reply.type(mimeTypeOf(file.name)).header('Content-Length', range ? range.end - range.start + 1 : file.size)
    if (range) reply.code(206).header('Content-Range', `bytes ${range.start}-${range.end}/${file.size}`)
    if (request.method === 'HEAD') return reply.send()
    return reply.send(await read(file, range))
  }

  async function read(file: FileRow, range: ByteRange | undefined) {
    const content = await files.read(file.name, range).catch((error: Error) => {
      log.warn({ message: error.message }, 'the file store did not answer')
      throw new Problem('NOT_READY', { message: 'The file store does not answer.', retryAfterSeconds: 10 })
    })
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
