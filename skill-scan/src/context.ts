import type { Sentence } from './text.js'
import { judges, warns } from './warnings.js'

// What surrounds a match can make the scan doubt it, and never more: a document that warns of a command and one that hides
// the command behind a warning have the same words.

/** Whether what surrounds a part of a sentence speaks against it. */
export function isDoubtful({ text, start, block }: Sentence, from: number, to: number, aboutAttacks: boolean): boolean {
  if (block.isWarnedOf) return true
  if (block.kind === 'code') return isWarningComment(text, from)
  return (
    warnsOf(text, from, to) ||
    FORBIDS_BEFORE.test(block.text.slice(start + text.length)) ||
    block.isQuotation ||
    isSpoken(block.text, start + from, start + to) ||
    (aboutAttacks && isWithin(CODE_OR_NAME, text, from, to))
  )
}

// The next sentence can take back the one before.
const FORBIDS_BEFORE =
  /^\s{0,40}(?:do not|don['’]t|never|avoid|refuse)\b(?!\s+(?:\w+\s+)?(?:forget|skip|omit|miss|hesitate|fail|worry|stop|wait|tell|mention|inform|ask|show|let|reveal|notify))/i

// What is farther away says nothing about a match.
const NEAR = 600

function warnsOf(text: string, from: number, to: number): boolean {
  const clause =
    text
      .slice(Math.max(0, from - NEAR), from)
      .split(/[,;]\s/)
      .at(-1) ?? ''
  return warns(clause) || judges(text.slice(to, to + NEAR))
}

function isWarningComment(code: string, index: number): boolean {
  const start = code.lastIndexOf('\n', index - 1) + 1
  const before = code.slice(Math.max(code.lastIndexOf('\n', start - 2) + 1, index - NEAR), index)
  const [, comment = ''] = before.match(/(?:#|\/\/|--)\s?(.{3,200})/) ?? []
  return warns(comment)
}

const LONGEST_SPEECH = 400
const SPEECH = /"[^"\n]{3,400}"|“[^”]{3,400}”|«[^»]{3,400}»|„[^“"”]{3,400}[“"”]/g
const CODE_OR_NAME = /`[^`\n]{3,400}`|'[^'\n]{10,400}'/g

// A speech can have several sentences.
function isSpoken(text: string, from: number, to: number): boolean {
  const begin = Math.max(0, from - LONGEST_SPEECH)
  return isWithin(SPEECH, text.slice(begin, to + LONGEST_SPEECH), from - begin, to - begin)
}

function isWithin(quotes: RegExp, text: string, from: number, to: number): boolean {
  for (const { index, 0: quote } of text.matchAll(quotes)) if (index <= from && to <= index + quote.length) return true
  return false
}

// Two of these mean that a text is about attacks, though it can be one as well.
const ABOUT_ATTACKS =
  /\b(?:prompt\s+injections?|jailbreaks?|attack(?:s|er|ers)?|malicious|malware|phishing|scams?|red\s+flags?|adversar\w+|red[- ]team\w*|treat\b[^.]{0,40}\bas\s+data|threat\s+model|incident|exploit(?:s|ed)?|social\s+engineering|supply[- ]chain|suspicious|detect(?:s|ion|or)?|classif\w+)\b/gi

/** Whether a document is about attacks. */
export function isAboutAttacks(document: string): boolean {
  return new Set((document.match(ABOUT_ATTACKS) ?? []).map((word) => word.toLowerCase())).size >= 2
}
