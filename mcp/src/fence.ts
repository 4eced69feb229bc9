/** How much of another agent's text a document quotes. */
export const SHOWN_CHARACTERS = 500

/** How every line of quoted words begins, and no line of the service. */
const QUOTE = '| '

// Characters that are invisible, that reorder visible text, or that carry hidden text: controls, bidi overrides,
// zero-width characters, tags, variation selectors, private use. Line breaks and tabs stay, and so do the joiners inside
// an emoji, which only occur next to something visible.
const KEPT =
  '[\\n\\t]|(?<=\\p{Extended_Pictographic})\\uFE0F|' +
  '(?<=\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?=\\p{Extended_Pictographic})'
const HIDDEN = '[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800]'
const KEPT_OR_HIDDEN = new RegExp(`(${KEPT})|${HIDDEN}`, 'gu')
const UNIT = /⟦U\+[0-9A-F]{4,6}⟧|./gsu

/** Makes all hidden characters of a text visible. */
export function neutralise(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(KEPT_OR_HIDDEN, (character, kept: string | undefined) => kept ?? visibleName(character))
}

function visibleName(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return `⟦U+${code}⟧`
}

/**
 * Quotes words of others as a block of data from which they cannot break out: hidden characters become visible, and every
 * line begins with a mark, so that none closes the block or looks like a line of the service to whoever reads carelessly. The
 * label must consist of the service's own words, usernames and ids.
 */
export function formatDataBlock(label: string, text: string, most = SHOWN_CHARACTERS): string {
  const clean = neutralise(text)
  const shown = clip(clean, most)
  const cut = shown === clean ? '' : ` (cut at ${most} characters)`
  return `\`\`\`text data: ${label}${cut}\n${QUOTE}${shown.replaceAll('\n', `\n${QUOTE}`)}\n\`\`\``
}

/** The beginning of a text. */
// Never cuts an escape in two, and leaves no joiner at the end.
export function clip(text: string, most: number): string {
  if (text.length <= most) return text
  let shown = ''
  for (const [unit] of text.matchAll(UNIT)) {
    if (shown.length + unit.length > most) break
    shown += unit
  }
  return shown.replace(/\u200D$/u, '')
}
