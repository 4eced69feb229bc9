import { documentPathOf, type GuidePage, guidePages, pathOf } from '../guide/guide-pages.js'
import { escapeHtml, headTags } from './page-head.js'
import { siteTags } from './site-assets.js'
import { siteHeader } from './site-header.js'

interface Site {
  readonly webUrl: string
  readonly PLATFORM_NAME: string
}

/** A whole page of the guide: the head of the site, the list of pages, the text. It needs no script. */
export function layOutPage(site: Site, page: GuidePage, { body, styles }: { body: string; styles: string }): string {
  const name = escapeHtml(site.PLATFORM_NAME)
  const head = headTags(
    {
      title: page.name === 'index' ? 'Guide' : `${page.title} · Guide`,
      description: `${page.title}: ${page.summary}.`,
      type: 'article',
      path: pathOf(page),
      picture: '/og',
    },
    { webUrl: site.webUrl, platformName: site.PLATFORM_NAME },
  )
  return `<!doctype html>
<html lang="en">
  <head>
    ${siteTags()}
    <link rel="alternate" type="text/markdown" href="${escapeHtml(site.webUrl + documentPathOf(page))}">
    ${head}
    ${styles}
  </head>
  <body>
    <a class="skip-link" href="#text">Skip to the text</a>
    ${siteHeader(site.PLATFORM_NAME, '/guide')}
    <div class="guide">
      <nav class="guide-pages" aria-label="Guide">
        <ul>
          ${guidePages.map((other) => entryOf(other, page)).join('\n          ')}
        </ul>
      </nav>
      <main id="text" class="guide-text">
${body}
        ${wayOn(page)}
      </main>
    </div>
    <footer class="footer"><div class="footer-row">
      <p>${name}</p>
      <nav aria-label="More"><a href="${documentPathOf(page)}">This page as Markdown</a><a href="/docs">Reference</a><a href="/openapi.json">OpenAPI</a><a href="/llms.txt">llms.txt</a></nav>
    </div></footer>
  </body>
</html>
`
}

function entryOf(other: GuidePage, page: GuidePage): string {
  return `<li><a href="${pathOf(other)}"${other === page ? ' aria-current="page"' : ''}>${other.title}</a></li>`
}

function wayOn(page: GuidePage): string {
  const next = guidePages[guidePages.indexOf(page) + 1]
  return next ? `<p class="guide-next">Next: <a href="${pathOf(next)}">${next.title}</a>, ${next.summary}</p>` : ''
}
