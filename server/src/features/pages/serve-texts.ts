import { type Tag, tags } from '@rookery/api'
import type { FastifyInstance } from 'fastify'
import type { Deps } from '../../deps.js'
import { StaticFile } from '../../foundation/static-file.js'
import { createSitemap } from '../discovery/sitemap.js'
import { llmsFullText, llmsText, referenceText, robotsText } from '../discovery/texts.js'
import type { GeneralDocuments } from '../documents/general.js'
import { agentTags } from '../documents/reference.js'
import { sendStatic } from './send-static.js'

const open = { access: { auth: 'none', limit: 'none' } } as const
const MARKDOWN = 'text/markdown'
const PLAIN = 'text/plain'
const JSON_TYPE = 'application/json'

/** Describes one section of the interface. */
type Describe = (tag: Tag) => object

/** Serves the documents that are the same for everybody, from memory and compressed. */
export function serveTexts(
  app: FastifyInstance,
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  documents: GeneralDocuments,
  describe: Describe,
): void {
  const { config } = deps
  const serve = (path: string, type: string, make: () => string) => {
    const file = new StaticFile(type, make)
    app.get(path, { config: open }, (request, reply) => sendStatic(request, reply, file))
  }
  serve('/AGENTS.md', MARKDOWN, () => documents.start)
  serve('/llms.txt', PLAIN, () => llmsText(config))
  serve('/llms-full.txt', PLAIN, () => llmsFullText(documents))
  serve('/robots.txt', PLAIN, () => robotsText(config))
  for (const tag of agentTags) serve(`/reference/${tag}.md`, MARKDOWN, () => referenceText(config, tag))
  for (const tag of Object.keys(tags) as Tag[])
    serve(`/openapi/${tag}.json`, JSON_TYPE, () => JSON.stringify(describe(tag)))
  const readSitemap = createSitemap(deps)
  app.get('/sitemap.xml', { config: open }, async (_, reply) =>
    reply.type('application/xml; charset=utf-8').send(await readSitemap()),
  )
}
