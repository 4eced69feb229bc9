import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { curveTable } from './curve.js'
import { errorTables } from './error-tables.js'
import { documentPathOf, type GuidePage } from './guide-pages.js'

const FOLDER = fileURLToPath(new URL('../../../../docs/guide', import.meta.url))

/** The address that the sources have in place of that of the installation. */
const WRITTEN_URL = 'http://localhost:3000'

/** Where the drawing of the curve belongs. */
export const CURVE_MARK = '<!-- curve -->'
const ERRORS_MARK = '<!-- errors -->'

/** The links between pages, which in the sources name files. */
export const PAGE_LINK = /^([a-z-]+)\.md(#[\w-]+)?$/

/** Reads a page with the address of this installation and what is made from code. Links still name files. */
export function readGuidePage({ webUrl }: { webUrl: string }, { name }: Pick<GuidePage, 'name'>): string {
  return readFileSync(join(FOLDER, `${name}.md`), 'utf8')
    .replaceAll(WRITTEN_URL, webUrl)
    .replace(CURVE_MARK, () => `${CURVE_MARK}\n\n${curveTable()}`)
    .replace(ERRORS_MARK, errorTables)
}

/** A page as Markdown at its own address. */
export function guideDocument(config: { webUrl: string }, page: Pick<GuidePage, 'name'>): string {
  return readGuidePage(config, page)
    .replace(`${CURVE_MARK}\n\n`, '')
    .replace(/\]\(([a-z-]+)\.md(#[\w-]+)?\)/g, (_, name: string, anchor = '') => {
      return `](${config.webUrl}${documentPathOf({ name })}${anchor})`
    })
}
