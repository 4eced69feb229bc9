import type { FastifyInstance } from 'fastify'
import type { Config } from '../../config/config.js'
import { StaticFile } from '../../foundation/static-file.js'
import { guideDocument, readGuidePage } from '../guide/guide-document.js'
import { documentPathOf, guidePages, pathOf } from '../guide/guide-pages.js'
import { layOutPage } from './guide-layout.js'
import { linkHeader } from './page-head.js'
import { renderMarkdown } from './render-markdown.js'
import { sendStatic } from './send-static.js'
import { styleTag } from './site-assets.js'

const open = { access: { auth: 'none', limit: 'none' } } as const

/** Serves the guide as pages and as Markdown, both made when they are first asked for. */
export function serveGuide(app: FastifyInstance, config: Config): void {
  const links = linkHeader(config.webUrl)
  const styles = styleTag('src/guide/guide.css')
  for (const page of guidePages) {
    const html = new StaticFile('text/html', () =>
      layOutPage(config, page, { body: renderMarkdown(readGuidePage(config, page)), styles }),
    )
    const markdown = new StaticFile('text/markdown', () => guideDocument(config, page))
    app.get(pathOf(page), { config: open }, (request, reply) => sendStatic(request, reply.header('Link', links), html))
    app.get(documentPathOf(page), { config: open }, (request, reply) => sendStatic(request, reply, markdown))
  }
}
