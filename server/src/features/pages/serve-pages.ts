import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.js'
import { StaticFile } from '../../foundation/static-file.js'
import { REFERENCE_LAYER, REFERENCE_START, referencePage } from './reference-page.js'
import { sendStatic } from './send-static.js'
import { WEB } from './site-assets.js'
import { serveWeb } from './web.js'

const open = { access: { auth: 'none', limit: 'none' } } as const
const DOCS = fileURLToPath(new URL('../../../../docs', import.meta.url))
const SWAGGER = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))
const SWAGGER_FILES = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'])

/** Serves the web app and the API reference. */
export async function servePages(app: FastifyInstance, config: Config): Promise<void> {
  await app.register(serveFiles, {
    root: [WEB, DOCS, SWAGGER].filter((folder) => existsSync(folder)),
    serve: false,
    preCompressed: true,
  })
  serveReference(app, config)
  serveWeb(app, config, WEB)
}

function serveReference(app: FastifyInstance, config: Config): void {
  const serve = (path: string, type: string, make: () => string) => {
    const file = new StaticFile(type, make)
    app.get(path, { config: open }, (request, reply) => sendStatic(request, reply, file))
  }
  serve('/docs', 'text/html', () => referencePage(config))
  serve('/docs/start.js', 'text/javascript', () => REFERENCE_START)
  serve('/docs/layer.css', 'text/css', () => REFERENCE_LAYER)
  app.get('/docs/errors.md', { config: open }, async (_, reply) =>
    reply.type('text/markdown; charset=utf-8').send(await readFile(join(DOCS, 'errors.md'), 'utf8')),
  )
  app.get<{ Params: { file: string } }>('/docs/assets/:file', { config: open }, (request, reply) => {
    const { file } = request.params
    return SWAGGER_FILES.has(file) ? reply.sendFile(file, SWAGGER) : reply.callNotFound()
  })
}
