import type { Finding, Severity } from './finding.js'
import { isAscii, plain } from './text.js'

// Characters without a look of their own, and where writing needs them all the same.
const NEEDED = [
  // Emoji: joined ones, coloured ones, and flags made of tags.
  '(?<=\\p{Extended_Pictographic}\\uFE0F?|\\p{Emoji_Modifier})\\u200D(?=\\p{Extended_Pictographic})',
  '(?<=[\\p{Extended_Pictographic}#*0-9])\\uFE0F',
  '(?<=\\p{Extended_Pictographic})\\uFE0E',
  '(?<=🏴)[\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}',
  // Scripts whose letters join, and scripts without spaces between words.
  '(?<=[\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gujarati}\\p{Script=Gurmukhi}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Oriya}\\p{Script=Sinhala}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Mark}])[\\u200C\\u200D]',
  '(?<=[\\p{Script=Thai}\\p{Script=Khmer}\\p{Script=Lao}\\p{Script=Myanmar}\\p{Mark}])\\u200B',
  // A mark of direction beside what is written from right to left.
  '(?<=[\\p{Script=Hebrew}\\p{Script=Arabic}][^\\n]{0,40})[\\u200E\\u200F]',
  '[\\u200E\\u200F](?=[^\\n]{0,40}[\\p{Script=Hebrew}\\p{Script=Arabic}])',
].join('|')
const UNSEEN = '[\\p{Cf}\\p{Default_Ignorable_Code_Point}\\u2800\\u{E0100}-\\u{E01EF}]'
const NEEDED_OR_UNSEEN = new RegExp(`(${NEEDED})|(${UNSEEN})`, 'gu')
const TAG = /[\u{E0000}-\u{E007F}]/u
const SELECTOR = /[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]/u
const REORDERS = /[\u202A-\u202E\u2066-\u2069]/u
const OVERRIDES = /[\u202D\u202E]/u
const MANY = 6

/** Finds text that a person does not see and a model reads. */
export function findHiddenText(document: string): Finding[] {
  return [...findUnseen(document), ...findComments(document), ...findInvisibleHtml(document), ...findFarAway(document)]
}

function findUnseen(document: string): Finding[] {
  if (isAscii(document)) return []
  const places: { character: string; line: number }[] = []
  for (const [index, line] of document
    .replace(/^\uFEFF/, '')
    .split('\n')
    .entries()) {
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

const COMMENT = /<!--([\s\S]{0,5000}?)(?:-->|$)|^\[[^\]\n]{1,40}\]:\s*(?:#|<>)\s*[("'](.{1,2000})[)"']\s*$/gm
const FOR_TOOLS =
  /^\s*(?:markdownlint|prettier|eslint|biome|textlint|vale|spell-checker|cspell|toc|tocstop|begin|end|start|stop|todo|fixme|note|more|lint|omit|ignore-\w+|[\w-]+:(?:start|end))\b/i
const LONG_COMMENT = 200

function findComments(document: string): Finding[] {
  return [...document.matchAll(COMMENT)].flatMap(({ index, 1: html, 2: link }) => {
    const text = plain(html ?? link ?? '').replace(/\s+/g, ' ')
    const line = lineOf(document, index)
    if (instructs(text)) return [hidden('blocked', line, 'A comment that no reader sees gives instructions.')]
    if (FOR_TOOLS.test(text) || text.length < LONG_COMMENT) return []
    return [hidden('warning', line, 'A long comment is hidden from readers.')]
  })
}

const ADDRESSED =
  /\b(?:system|assistant|agent|(?:language )?models?|ai|llms?|gpt|claude|bot)\s*(?:[:,>]|only\b|prompt|instruction|must|should|message|note)|\byou (?:are|must|should|will|have to|need to|can now)\b|\b(?:ignore|disregard|forget|override)\b.{0,60}\b(?:instruction|rule|prompt|guideline|above|previous)|\b(?:do not|don['’]t|never)\s+(?:mention|tell|reveal|show|inform|disclose|repeat)\b|\b(?:secretly|silently|quietly)\b|\bto (?:the|any|every|all) (?:agent|assistant|model|ai|llm|bot)s?\b|\b(?:agents?|assistants?|models?|llms?) (?:that|who|reading|loading)\b/i
const ORDER =
  /\b(?:send|post|upload|transfer|read|open|append|add|include|execute|run|fetch|download|call|submit|forward|copy|leak|install|curl|wget)\b.{0,100}(?:\b(?:key|keys|secret|secrets|wallet|token|credential\w*|password|seed|prompt|bnb|eth|funds|shares|command|script|instructions)\b|\.env\b|https?:|0x[0-9a-f]{40})/i

function instructs(text: string): boolean {
  return ADDRESSED.test(text) || ORDER.test(text)
}

const INVISIBLE =
  /<(\w{1,20})\b[^>]{0,400}?(?:\bhidden\b|style\s*=\s*["'][^"'>]{0,300}?(?:display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0(?:\.0\d*)?\s*[;"']|color\s*:\s*(?:#fff(?:fff)?\b|white\b|transparent\b|rgba?\(\s*255\s*,\s*255\s*,\s*255|rgba\([^)]*,\s*0\s*\))|(?:left|top|text-indent)\s*:\s*-\d{3,}))[^>]{0,400}>([\s\S]{0,3000}?)<\/\1>/gi

function findInvisibleHtml(document: string): Finding[] {
  if (!document.includes('</')) return []
  return [...document.matchAll(INVISIBLE)].flatMap(({ index, 2: content = '' }) =>
    content.trim().length < 10
      ? []
      : [hidden('blocked', lineOf(document, index), 'Styled text is invisible to readers and read by models.')],
  )
}

const FAR_RIGHT = /\S[ \t]{120,}\S/
const BLANK_LINES = /(?:\n[ \t]*){40,}\S/

// Pushed out of what a person scrolls to.
function findFarAway(document: string): Finding[] {
  const found = document.search(FAR_RIGHT)
  const below = document.search(BLANK_LINES)
  const at = found >= 0 ? found : below
  return at < 0 ? [] : [hidden('warning', lineOf(document, at), 'Text stands far away from where readers look.')]
}

function hidden(severity: Severity, line: number, message: string): Finding {
  return { rule: 'hidden-text', severity, line, message }
}

function lineOf(document: string, index: number): number {
  return document.slice(0, index).split('\n').length
}
