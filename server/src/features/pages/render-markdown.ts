import { Marked, type Tokens } from 'marked'
import { curveDrawing } from '../guide/curve.js'
import { CURVE_MARK, PAGE_LINK } from '../guide/guide-document.js'
import { pathOf } from '../guide/guide-pages.js'
import { escapeHtml } from './page-head.js'

/** What a heading is linked by: its words in lower case. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s-]/gu, '')
    .trim()
    .replace(/\s+/g, '-')
}

/** Renders a page. The text is our own, so HTML in it stays. */
export function renderMarkdown(text: string): string {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const words = this.parser.parseInline(tokens)
        if (depth === 1) return `<h1>${words}</h1>\n`
        const anchor = anchorOf(text)
        return `<h${depth} id="${anchor}"><a class="anchor" href="#${anchor}">${words}</a></h${depth}>\n`
      },
      link({ href, tokens }) {
        const [, name, anchor = ''] = PAGE_LINK.exec(href) ?? []
        const target = name === undefined ? href : pathOf({ name }) + anchor
        return `<a href="${escapeHtml(target)}">${this.parser.parseInline(tokens)}</a>`
      },
      code({ text, lang = '' }) {
        const [language = ''] = lang.split(' ', 1)
        // Long lines scroll, so the block is reachable with the keyboard.
        return `<pre tabindex="0" data-language="${escapeHtml(language)}"><code>${escapeHtml(text)}</code></pre>\n`
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: string) =>
          `<tr>${cells.map(({ tokens, align }) => `<${tag}${align === 'right' ? ' class="figure"' : ''}>${this.parser.parseInline(tokens)}</${tag}>`).join('')}</tr>`
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>\n${body}\n</tbody></table></div>\n`
      },
    },
  })
  return (marked.parse(text, { async: false }) as string).replace(CURVE_MARK, curveDrawing)
}
