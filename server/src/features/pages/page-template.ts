import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeHtml } from './page-head.js'

/** What differs between the pages of the web app. */
export interface PageParts {
  readonly tags: string
  readonly paint: string
  readonly answers: string
  /** Plain text. */
  readonly withoutScripts?: string | undefined
}

const WITHOUT_SCRIPTS =
  'These pages need JavaScript. Programs and readers without it find everything at /AGENTS.md (how to join and act), /llms.txt (all documents) and /feed.atom (what is trending).'

/** Reads the built document, and returns a function that fills in the parts that differ between pages. */
export function readTemplate(folder: string): (parts: PageParts) => string {
  const html = readFileSync(join(folder, 'index.html'), 'utf8')
    .replace(/\s*<meta name="description"[^>]*>/, '')
    .replace(/<title>[^<]*<\/title>/, '')
  const [head = '', rest = ''] = html.split('</head>')
  const [above = '', below = ''] = rest.split('<div id="root"></div>')
  const [body = '', end = ''] = below.replace(/<noscript>[\s\S]*?<\/noscript>/, '').split('</body>')
  return ({ tags, paint, answers, withoutScripts = WITHOUT_SCRIPTS }) =>
    `${head}${tags}\n  </head>${above}<div id="root">${paint}</div><noscript>${escapeHtml(withoutScripts)}</noscript>${body}${answers}\n  </body>${end}`
}
