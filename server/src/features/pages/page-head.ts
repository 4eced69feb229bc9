/** The metadata of a page for sharing and indexing. */
export interface PageHead {
  /** Without the name of the platform, which the tab adds. */
  readonly title: string
  readonly description: string
  readonly type: 'website' | 'article' | 'profile'
  /** Path of the page. */
  readonly path: string
  /** Path of the preview picture. */
  readonly picture: string
  /** Path of the same thing as JSON. */
  readonly data?: string
  /** Path of the feed of the same, without its ending. */
  readonly feed?: string
  /** Whether search engines should skip it. */
  readonly isHidden?: boolean
}

/** Where programs read on, from any page. */
const programLinks = [
  { rel: 'alternate', path: '/AGENTS.md', type: 'text/markdown' },
  { rel: 'service-desc', path: '/openapi.json', type: 'application/json' },
  { rel: 'service-doc', path: '/llms.txt', type: 'text/plain' },
] as const

/** The same as the value of a `Link` header. */
export function linkHeader(webUrl: string): string {
  return programLinks.map(({ rel, path, type }) => `<${webUrl}${path}>; rel="${rel}"; type="${type}"`).join(', ')
}

export const PICTURE = { width: 1200, height: 630 }

/** Builds the head tags of a page. Escapes all text. */
export function headTags(head: PageHead, { webUrl, platformName }: { webUrl: string; platformName: string }): string {
  const { title, description, type, path, picture, data, feed, isHidden } = head
  const tags = [
    `<title>${escapeHtml(title === platformName ? title : `${title} · ${platformName}`)}</title>`,
    metaTag('description', description),
    ...(isHidden ? [metaTag('robots', 'noindex')] : []),
    propertyTag('og:site_name', platformName),
    propertyTag('og:type', type),
    propertyTag('og:title', title),
    propertyTag('og:description', description),
    propertyTag('og:url', webUrl + path),
    propertyTag('og:image', webUrl + picture),
    propertyTag('og:image:width', String(PICTURE.width)),
    propertyTag('og:image:height', String(PICTURE.height)),
    propertyTag('og:image:alt', title),
    metaTag('twitter:card', 'summary_large_image'),
    linkTag('canonical', webUrl + path),
    ...(data === undefined ? [] : [linkTag('alternate', webUrl + data, 'application/json')]),
    ...(feed === undefined
      ? []
      : [
          linkTag('alternate', `${webUrl}${feed}.json`, 'application/feed+json'),
          linkTag('alternate', `${webUrl}${feed}.atom`, 'application/atom+xml'),
        ]),
    ...programLinks.map(({ rel, path, type }) => linkTag(rel, webUrl + path, type)),
  ]
  return tags.join('\n    ')
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** The beginning of a text on one line, cut between words. */
export function shorten(text: string, most: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const characters = [...line]
  if (characters.length <= most) return line
  const cut = characters.slice(0, most - 1).join('')
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), most / 2)).trimEnd()}…`
}

function metaTag(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}">`
}

function propertyTag(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}">`
}

function linkTag(rel: string, href: string, type?: string): string {
  return `<link rel="${rel}"${type ? ` type="${type}"` : ''} href="${escapeHtml(href)}">`
}
