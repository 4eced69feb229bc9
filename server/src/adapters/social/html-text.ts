const NAMED_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
}
const ENTITY = /&(?:#x(?<hex>[0-9a-f]{1,6})|#(?<decimal>\d{1,7})|(?<name>[a-z]{2,6}));/gi
const MAX_CODE_POINT = 0x10ffff

/** Decodes HTML entities once: text that was escaped twice stays escaped once. */
export function decodeEntities(text: string): string {
  return text.replace(ENTITY, (entity: string, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED_ENTITIES[name] ?? entity
    const codePoint = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return codePoint <= MAX_CODE_POINT ? String.fromCodePoint(codePoint) : entity
  })
}

/** The text of the first paragraph as a reader sees it, or null if there is none. */
export function firstParagraphText(html: string): string | null {
  const opening = /<p\b[^<>]*>/i.exec(html)
  if (opening === null) return null
  const start = opening.index + opening[0].length
  const end = html.indexOf('</p>', start)
  if (end === -1) return null
  const lines = html.slice(start, end).replace(/<br\b[^<>]*>\n?/gi, '\n')
  return decodeEntities(lines.replace(/<[^<>]*>/g, '')).trim()
}
