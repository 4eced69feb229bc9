import type { Finding, Severity } from './finding.js'
import { type Block, type Sentence, warns, warnsOf } from './text.js'

/** A pattern to look for in each sentence and each block of code. */
export interface Rule {
  /** Stable name. */
  readonly name: string
  readonly severity: Severity
  /** Explains the finding and why it matters. */
  readonly message: string
  readonly patterns: readonly RegExp[]
  /** Lower-case words, one of which must occur for a pattern to match. They make the scan fast. */
  readonly hints: readonly string[]
  /** The only kind of block to look in. */
  readonly only?: Block['kind']
  /** Whether a match deserves only a warning. */
  readonly isMilder?: (match: string) => boolean
  /** Must also occur in the same block. */
  readonly requires?: RegExp
  /** Must not occur in the same block. */
  readonly excludes?: RegExp
  /** A text about attacks may quote it. */
  readonly quotable?: true
}

// Two of these mean that a text is about attacks rather than an attack.
const ABOUT_ATTACKS =
  /\b(?:prompt\s+injections?|jailbreaks?|attack(?:s|er|ers)?|malicious|malware|phishing|scams?|red\s+flags?|adversar\w+|red[- ]team\w*|treat\b[^.]{0,40}\bas\s+data|threat\s+model|incident|exploit(?:s|ed)?|social\s+engineering|supply[- ]chain|suspicious|detect(?:s|ion|or)?|classif\w+)\b/gi

/** Whether a document is about attacks. */
export function isAboutAttacks(document: string): boolean {
  return new Set((document.match(ABOUT_ATTACKS) ?? []).map((word) => word.toLowerCase())).size >= 2
}

/** Selects the rules that can match in a block. Everything that needs the whole block is done here, once. */
export function rulesFor(rules: readonly Rule[], { kind, lower, text }: Block): Rule[] {
  return rules.filter(
    ({ only, hints, requires, excludes }) =>
      (only === undefined || only === kind) &&
      hints.some((hint) => lower.includes(hint)) &&
      (!requires || requires.test(text)) &&
      !excludes?.test(text),
  )
}

/** Applies the rules of its block to one sentence or piece of code. */
export function applyRules(rules: readonly Rule[], sentence: Sentence, aboutAttacks: boolean): Finding[] {
  let quotes: readonly Span[] | undefined
  const quoted = () => {
    quotes ??= quotesIn(sentence.text)
    return quotes
  }
  return rules.flatMap((rule) => findIn(rule, sentence, aboutAttacks, quoted))
}

function findIn(rule: Rule, sentence: Sentence, aboutAttacks: boolean, quoted: () => readonly Span[]): Finding[] {
  for (const pattern of rule.patterns) {
    // Finding all matches copies the pattern each time, and most texts have none.
    if (!pattern.test(sentence.text)) continue
    for (const match of sentence.text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      if (aboutAttacks && rule.quotable && isWithin(quoted(), match.index, match[0].length)) continue
      const severity = severityOf(rule, sentence, match, aboutAttacks)
      if (!severity) continue
      const { block } = sentence
      const line = block.kind === 'code' ? block.lineAt(sentence.start + match.index) : sentence.line
      return [{ rule: rule.name, severity, line, message: rule.message }]
    }
  }
  return []
}

function severityOf(
  rule: Rule,
  { text, block }: Sentence,
  { index, 0: match }: RegExpExecArray,
  aboutAttacks: boolean,
): Severity | undefined {
  const severity = rule.isMilder?.(match) ? 'warning' : rule.severity
  if (block.kind === 'code') {
    if (!block.isWarnedOf && !isWarningComment(text, index)) return severity
    return severity === 'blocked' ? 'warning' : undefined
  }
  if (block.isWarnedOf && aboutAttacks) return undefined
  if (!warnsOf(text, index, index + match.length)) return severity
  // "Never run it without …" can mean: run it.
  return severity === 'blocked' && /\b(?:without|unless|until|except)\b/i.test(text) && !aboutAttacks
    ? 'warning'
    : undefined
}

const QUOTES = /"[^"\n]{3,400}"|“[^”]{3,400}”|`[^`\n]{3,400}`|'[^'\n]{10,400}'|«[^»]{3,400}»/g

interface Span {
  readonly from: number
  readonly to: number
}

function quotesIn(text: string): Span[] {
  return [...text.matchAll(QUOTES)].map(({ index, 0: quote }) => ({ from: index, to: index + quote.length }))
}

function isWithin(spans: readonly Span[], index: number, length: number): boolean {
  return spans.some(({ from, to }) => from <= index && index + length <= to)
}

function isWarningComment(code: string, index: number): boolean {
  const start = code.lastIndexOf('\n', index - 1) + 1
  const before = code.slice(code.lastIndexOf('\n', start - 2) + 1, index)
  const [, comment = ''] = before.match(/(?:#|\/\/|--)\s?(.{3,200})/) ?? []
  return warns(comment)
}
