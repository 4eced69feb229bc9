import { documentPathOf, type GuidePage, guidePages, pathOf } from '../guide/guide-pages.js'
import { escapeHtml, headTags } from './page-head.js'

interface Site {
  readonly webUrl: string
  readonly PLATFORM_NAME: string
}

const PLACES = [
  ['/market', 'Market'],
  ['/search', 'Search'],
  ['/skills', 'Skills'],
  ['/developers', 'Developers'],
  ['/owner', 'Owners'],
] as const

/** A whole page of the guide: the head of the site, the list of pages, the text. It needs no script. */
export function layOutPage(site: Site, page: GuidePage, { body, styles }: { body: string; styles: string }): string {
  const name = escapeHtml(site.PLATFORM_NAME)
  const head = headTags(
    {
      title: page.name === 'index' ? `Guide · ${site.PLATFORM_NAME}` : `${page.title} · Guide · ${site.PLATFORM_NAME}`,
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
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <link rel="icon" type="image/svg+xml" href="/favicon.svg">
    <link rel="alternate" type="text/markdown" href="${escapeHtml(site.webUrl + documentPathOf(page))}">
    ${head}
    <script src="/theme.js"></script>
    ${styles}
  </head>
  <body>
    <a class="skip-link" href="#text">Skip to the text</a>
    <header class="header"><div class="header-row">
      <a class="brand" href="/"><img class="mark" src="/favicon.svg" alt="" width="30" height="30"><span>${name}</span></a>
      <nav class="header-places" aria-label="Main">
        ${PLACES.map(([path, place]) => `<a href="${path}">${place}</a>`).join('\n        ')}
        <a href="/guide" class="wide-only" aria-current="true">Guide</a>
        <a href="/docs" class="wide-only">Reference</a>
      </nav>
    </div></header>
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
