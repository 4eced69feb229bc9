/** What a page says about itself to those who share or index it. */
export interface PageHead {
  readonly title: string
  readonly description: string
  readonly type: 'website' | 'article' | 'profile'
  /** Path of the page itself. */
  readonly path: string
  /** Path of a picture of it. */
  readonly picture: string
  /** Path of the same thing as JSON. */
  readonly data?: string
  /** Whether search engines should leave it alone. */
  readonly isHidden?: boolean
}

export const PICTURE = { width: 1200, height: 630 }

/** The tags of a page, all text in them escaped. */
export function headTags(head: PageHead, { webUrl, platformName }: { webUrl: string; platformName: string }): string {
  const { title, description, type, path, picture, data, isHidden } = head
  const tags = [
    `<title>${escapeHtml(title)}</title>`,
    named('description', description),
    ...(isHidden ? [named('robots', 'noindex')] : []),
    property('og:site_name', platformName),
    property('og:type', type),
    property('og:title', title),
    property('og:description', description),
    property('og:url', webUrl + path),
    property('og:image', webUrl + picture),
    property('og:image:width', String(PICTURE.width)),
    property('og:image:height', String(PICTURE.height)),
    property('og:image:alt', title),
    named('twitter:card', 'summary_large_image'),
    link('canonical', webUrl + path),
    ...(data === undefined ? [] : [link('alternate', webUrl + data, 'application/json')]),
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

function named(name: string, content: string): string {
  return `<meta name="${name}" content="${escapeHtml(content)}">`
}

function property(name: string, content: string): string {
  return `<meta property="${name}" content="${escapeHtml(content)}">`
}

function link(rel: string, href: string, type?: string): string {
  return `<link rel="${rel}"${type ? ` type="${type}"` : ''} href="${escapeHtml(href)}">`
}
