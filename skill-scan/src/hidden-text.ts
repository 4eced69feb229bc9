import type { Finding, Severity } from './finding.js'
import { lineFinder } from './lines.js'
import { isAscii, plain } from './text.js'

// Invisible characters, and the places where they are legitimate.
const NEEDED = [
  // Emoji: joined ones, coloured ones, and flags made of tags.
  '(?<=\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?=\\p{Extended_Pictographic})',
  '(?<=[\\p{Extended_Pictographic}#*0-9])\\uFE0F',
  '(?<=\\p{Extended_Pictographic})\\uFE0E',
  '(?<=🏴)[\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}',
  // Scripts whose letters join, and scripts without spaces between words.
  '(?<=[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Mark}])[\\u200C\\u200D]',
  '(?<=[\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}\\p{Script=Myanmar}\\p{Mark}])\\u200B',
  // A direction mark next to right-to-left text.
  '(?<=[\\p{Script=Hebrew}\\p{Script=Arabic}][^\\n]{0,40})[\\u200E\\u200F]',
  '[\\u200E\\u200F](?=[^\\n]{0,40}[\\p{Script=Hebrew}\\p{Script=Arabic}])',
].join('|')
const UNSEEN = '[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800\\u{E0100}-\\u{E01EF}]'
const ANY_UNSEEN = new RegExp(UNSEEN, 'u')
const NEEDED_OR_UNSEEN = new RegExp(`(${NEEDED})|(${UNSEEN})`, 'gu')
const TAG = /[\u{E0000}-\u{E007F}]/u
const SELECTOR = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u
const REORDERS = /[\u202A-\u202E\u2066-\u2069]/u
const OVERRIDES = /[\u202D\u202E]/u
const MANY = 6

/** Finds text that a person cannot see but a model reads. */
export function findHiddenText(document: string): Finding[] {
  const lineAt = lineFinder(document)
  return [
    ...findUnseen(document),
    ...findComments(document, lineAt),
    ...findInvisibleHtml(document, lineAt),
    ...findFarAway(document, lineAt),
  ]
}

function findUnseen(document: string): Finding[] {
  if (isAscii(document)) return []
  const places: { character: string; line: number }[] = []
  for (const [index, line] of document
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
    if (!ANY_UNSEEN.test(line)) continue
    for (const { 2: character } of line.matchAll(NEEDED_OR_UNSEEN))
      if (character !== undefined) places.push({ character, line: index + 1 })
  }
  const first = places[0]
  if (!first) return []
  const some = (pattern: RegExp) => places.find(({ character }) => pattern.test(character))
  const isRightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}]/u.test(document)
  const reordering = places.filter(({ character }) => REORDERS.test(character))
  const tag = some(TAG)
  if (tag) return [hidden('blocked', tag.line, 'Tag characters spell out text that nobody sees.')]
  const override = some(OVERRIDES) ?? (isRightToLeft ? undefined : reordering[0])
  if (override) return [hidden('blocked', override.line, 'Direction controls make the text look like another one.')]
  const unseen = places.filter(({ character }) => !REORDERS.test(character))
  if (unseen.length === 0) return []
  const selectors = unseen.filter(({ character }) => SELECTOR.test(character)).length
  const line = unseen[0]?.line ?? first.line
  return unseen.length >= MANY || selectors > 2
    ? [hidden('blocked', line, 'Many characters that cannot be seen stand in the text; they can carry a message.')]
    : [hidden('warning', line, 'Characters that cannot be seen stand in the text.')]
}

const LINK_COMMENT = /^\[[^\]\n]{1,40}\]:\s*(?:#|<>)\s*[("'](.{1,2000})[)"']\s*$/gm
const FOR_TOOLS =
  /^\s*(?:markdownlint|prettier|eslint|biome|textlint|vale|spell-checker|cspell|toc|tocstop|begin|end|start|stop|todo|fixme|note|more|lint|omit|ignore-\w+|[\w-]+:(?:start|end))\b/i
const LONG_COMMENT = 200

/** A piece of a document. */
interface Piece {
  readonly index: number
  readonly text: string
}

function findComments(document: string, lineAt: (index: number) => number): Finding[] {
  const links = Array.from(document.matchAll(LINK_COMMENT), ({ index, 1: text = '' }) => ({ index, text }))
  return [...commentsIn(document), ...links].flatMap(({ index, text: raw }) => {
    const text = plain(raw).replace(/\s+/g, ' ')
    const line = lineAt(index)
    if (instructs(text)) return [hidden('blocked', line, 'A comment that no reader sees gives instructions.')]
    if (FOR_TOOLS.test(text) || text.length < LONG_COMMENT) return []
    return [hidden('warning', line, 'A long comment is hidden from readers.')]
  })
}

// As in Markdown: a comment at the start of a line runs to its end mark or to the end of the document; any other must end
// within its paragraph, and an unclosed one is read to the end of its line. Each end is searched for once, however many
// comments begin before it.
function* commentsIn(document: string): Generator<Piece> {
  const nextMark = createFinder(document, /-->/g)
  const nextGap = createFinder(document, /\n[ \t\r]*\n/g)
  const nextLineEnd = createFinder(document, /[\n\r\u2028\u2029]/g)
  for (let index = document.indexOf('<!--'); index >= 0; ) {
    const from = index + '<!--'.length
    const mark = nextMark(from)
    const isWhole = BEGINS_LINE.test(document.slice(Math.max(0, index - 8), index)) || mark < nextGap(from)
    const end = isWhole ? mark : nextLineEnd(from)
    yield { index, text: document.slice(from, end) }
    index = document.indexOf('<!--', end)
  }
}

// Only indentation, or the marks of a quotation or a list, may come before.
const BEGINS_LINE = /(?:^|[\n\r])[ \t>*+.)\d-]{0,7}$/

/** Creates a function that finds the next match from a position on; positions must not decrease. */
function createFinder(document: string, pattern: RegExp): (from: number) => number {
  let found = -1
  return (from) => {
    if (found >= from) return found
    pattern.lastIndex = from
    found = pattern.exec(document)?.index ?? document.length
    return found
  }
}

const ADDRESSED =
  /\b(?:system|assistant|agent|(?:language )?models?|ai|llms?|gpt|claude|bot)\s*(?:[:,>]|only\b|prompt|instruction|must|should|message|note)|\byou (?:are|must|should|will|have to|need to|can now)\b|\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instruction|rule|prompt|guideline|above|previous)|\b(?:do not|don['’]t|never)\s+(?:mention|tell|reveal|show|inform|disclose|repeat)\b|\b(?:secretly|silently|quietly)\b|\bto (?:the|any|every|all) (?:agent|assistant|model|ai|llm|bot)s?\b|\b(?:agents?|assistants?|models?|llms?) (?:that|who|reading|loading)\b/i
const ORDER =
  /\b(?:send|post|upload|transfer|read|open|append|add|include|execute|run|fetch|download|call|submit|forward|copy|leak|install|curl|wget)\b.{0,100}(?:\b(?:key|keys|secret|secrets|wallet|token|credential\w*|password|seed|prompt|bnb|eth|funds|shares|command|script|instructions)\b|\.env\b|https?:|0x[0-9a-f]{40})/i

function instructs(text: string): boolean {
  return ADDRESSED.test(text) || ORDER.test(text)
}

const TAG_START = /<(\w{1,20})\b/g
const INVISIBLE =
  /\bhidden\b|style\s{0,40}=\s{0,40}["'][^"'>]{0,300}?(?:display\s{0,40}:\s{0,40}none|visibility\s{0,40}:\s{0,40}hidden|font-size\s{0,40}:\s{0,40}0|opacity\s{0,40}:\s{0,40}0(?:\.0\d{0,40})?\s{0,40}[;"']|color\s{0,40}:\s{0,40}(?:#fff(?:fff)?\b|white\b|transparent\b|rgba?\(\s{0,40}255\s{0,40},\s{0,40}255\s{0,40},\s{0,40}255|rgba\([^)]{0,80},\s{0,40}0\s{0,40}\))|(?:left|top|text-indent)\s{0,40}:\s{0,40}-\d{3,})/gi
const LONGEST_TAG = 1_200
const LONGEST_CONTENT = 3_000

function findInvisibleHtml(document: string, lineAt: (index: number) => number): Finding[] {
  if (!document.includes('</')) return []
  return [...invisibleIn(document)].flatMap(({ index, text }) =>
    text.trim().length < 10
      ? []
      : [hidden('blocked', lineAt(index), 'Styled text is invisible to readers and read by models.')],
  )
}

// The text before a ">" is read once, however many tags begin in it.
function* invisibleIn(document: string): Generator<Piece> {
  let from = 0
  for (let end = document.indexOf('>'); end >= 0; end = document.indexOf('>', Math.max(end + 1, from))) {
    const start = Math.max(from, end - LONGEST_TAG)
    const tag = document.slice(start, end)
    from = end + 1
    const style = tag.includes('<') ? [...tag.matchAll(INVISIBLE)].at(-1) : undefined
    if (!style) continue
    const after = document.slice(from, from + LONGEST_CONTENT + '</>'.length + 20)
    const lower = after.toLowerCase()
    const seen = new Set<string>()
    for (const { index, 0: opening, 1: name = '' } of tag.matchAll(TAG_START)) {
      const closing = `</${name.toLowerCase()}>`
      if (index + opening.length > style.index || seen.has(closing)) continue
      seen.add(closing)
      const length = lower.indexOf(closing)
      if (length < 0 || length > LONGEST_CONTENT) continue
      yield { index: start + index, text: after.slice(0, length) }
      from += length + closing.length
      break
    }
  }
}

const FAR_RIGHT = /\S[ \t]{120,}\S/
const MANY_BLANK_LINES = 40

// Text pushed out of view.
function findFarAway(document: string, lineAt: (index: number) => number): Finding[] {
  const found = document.search(FAR_RIGHT)
  const line = found >= 0 ? lineAt(found) : lineBeforeGap(document)
  return line === undefined ? [] : [hidden('warning', line, 'Text stands far away from where readers look.')]
}

function lineBeforeGap(document: string): number | undefined {
  let before = 0
  for (const [index, line] of document.split('\n').entries()) {
    if (/^[ \t]*$/.test(line)) continue
    if (index - before >= MANY_BLANK_LINES && /^[ \t]*\S/.test(line)) return before + 1
    before = index
  }
  return undefined
}

function hidden(severity: Severity, line: number, message: string): Finding {
  return { rule: 'hidden-text', severity, line, message }
}
