import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import serveFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Config } from '../../config/config.js'
import { serveWeb } from './web.js'

const open = { access: { auth: 'none', limit: 'none' } } as const
const WEB = fileURLToPath(new URL('../../../../web/dist', import.meta.url))
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
  serveReference(app)
  serveWeb(app, config, WEB)
}

function serveReference(app: FastifyInstance): void {
  const html = (reply: FastifyReply, text: string) => reply.type('text/html; charset=utf-8').send(text)
  app.get('/docs', { config: open }, (_, reply) => html(reply, REFERENCE))
  app.get('/docs/start.js', { config: open }, (_, reply) => reply.type('text/javascript; charset=utf-8').send(START))
  app.get('/docs/errors.md', { config: open }, async (_, reply) =>
    reply.type('text/markdown; charset=utf-8').send(await readFile(join(DOCS, 'errors.md'), 'utf8')),
  )
  app.get<{ Params: { file: string } }>('/docs/assets/:file', { config: open }, (request, reply) => {
    const { file } = request.params
    return SWAGGER_FILES.has(file) ? reply.sendFile(file, SWAGGER) : reply.callNotFound()
  })
}

const REFERENCE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Rookery API reference</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
</head>
<body>
<main id="reference"></main>
<script src="/docs/assets/swagger-ui-bundle.js"></script>
<script src="/docs/start.js"></script>
</body>
</html>
`

const START = `SwaggerUIBundle({ url: '/openapi.json', dom_id: '#reference', deepLinking: true, tryItOutEnabled: true })
`
