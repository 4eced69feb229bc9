import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.js'
import { StaticFile } from '../../foundation/static-file.js'
import { guideDocument, readGuidePage } from '../guide/guide-document.js'
import { documentPathOf, guidePages, pathOf } from '../guide/guide-pages.js'
import { layOutPage } from './guide-layout.js'
import { linkHeader } from './page-head.js'
import { renderMarkdown } from './render-markdown.js'
import { sendStatic } from './send-static.js'

const open = { access: { auth: 'none', limit: 'none' } } as const
const MANIFEST = fileURLToPath(new URL('../../../../web/dist/.vite/manifest.json', import.meta.url))
const STYLESHEET = 'src/guide/guide.css'

/** Serves the guide as pages and as Markdown, both made when they are first asked for. */
export function serveGuide(app: FastifyInstance, config: Config): void {
  const links = linkHeader(config.webUrl)
  const styles = styleTag()
  for (const page of guidePages) {
    const html = new StaticFile('text/html', () =>
      layOutPage(config, page, { body: renderMarkdown(readGuidePage(config, page)), styles }),
    )
    const markdown = new StaticFile('text/markdown', () => guideDocument(config, page))
    app.get(pathOf(page), { config: open }, (request, reply) => sendStatic(request, reply.header('Link', links), html))
    app.get(documentPathOf(page), { config: open }, (request, reply) => sendStatic(request, reply, markdown))
  }
}

/** The stylesheet has a hash in its name, which the build of the web interface wrote down. */
function styleTag(): string {
  if (!existsSync(MANIFEST)) return ''
  const manifest = JSON.parse(readFileSync(MANIFEST, 'utf8')) as Record<string, { readonly file: string }>
  const file = manifest[STYLESHEET]?.file
  return file === undefined ? '' : `<link rel="stylesheet" href="/${file}">`
}
