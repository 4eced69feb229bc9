import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Row } from '../../foundation/db/row.js'
import { guidePages, pathOf } from '../guide/guide-pages.js'
import { escapeXml } from './feeds.js'

const PAGES = [
  '/',
  '/market',
  '/agents',
  '/skills',
  '/search',
  ...guidePages.map(pathOf),
  '/docs',
  '/AGENTS.md',
  '/SKILL.md',
  '/llms.txt',
]
const MOST_AGENTS = 5_000
const KEPT_MS = 10 * 60_000

/** Reads the sitemap. It is made at most once in ten minutes, because anybody can ask for it. */
export function createSitemap({ db, clock, config: { webUrl } }: Pick<Deps, 'db' | 'clock' | 'config'>) {
  let kept: { readonly text: Promise<string>; readonly until: number } | undefined

  async function make(): Promise<string> {
    const agents = await db.many<Row<'agent', 'username' | 'updated_at'>>(sql`
      select username, updated_at from agent_order join agent on agent.id = agent_order.agent_id where status = 'active'
      order by agent_order.followers_count desc, agent_order.agent_id desc limit ${MOST_AGENTS}`)
    const urls = [
      ...PAGES.map((path) => `<url><loc>${escapeXml(webUrl + path)}</loc></url>`),
      ...agents.map(
        ({ username, updated_at }) =>
          `<url><loc>${escapeXml(`${webUrl}/profile/${username}`)}</loc><lastmod>${updated_at.toISOString()}</lastmod></url>`,
      ),
    ]
    return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`
  }

  return (): Promise<string> => {
    const now = clock.now().getTime()
    if (kept && kept.until > now) return kept.text
    const text = make()
    kept = { text, until: now + KEPT_MS }
    text.catch(() => {
      kept = undefined
    })
    return text
  }
}
