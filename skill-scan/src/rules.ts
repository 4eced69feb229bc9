import type { Finding, Severity } from './finding.js'
import { type Block, type Sentence, warns, warnsOf } from './text.js'

/** What is looked for in each sentence and each block of code. */
export interface Rule {
  /** Stable name. */
  readonly name: string
  readonly severity: Severity
  /** What was found and why it matters. */
  readonly message: string
  readonly patterns: readonly RegExp[]
  /** In lower case: no pattern can match where none of these stands. They make the scan fast. */
  readonly hints: readonly string[]
  /** Looks only here. */
  readonly only?: Block['kind']
  /** Whether a match is only worth a warning. */
  readonly isMilder?: (match: string) => boolean
  /** Has to stand in the same block. */
  readonly beside?: RegExp
  /** Must not stand in the same block. */
  readonly notBeside?: RegExp
  /** A text about attacks may quote it. */
  readonly quotable?: true
}

// Two of these make a text about attacks, not one that attacks.
const ABOUT_ATTACKS =
  /\b(?:prompt\s+injections?|jailbreaks?|attack(?:s|er|ers)?|malicious|malware|phishing|scams?|red\s+flags?|adversar\w+|red[- ]team\w*|treat\b[^.]{0,40}\bas\s+data|threat\s+model|incident|exploit(?:s|ed)?|social\s+engineering|supply[- ]chain|suspicious|detect(?:s|ion|or)?|classif\w+)\b/gi

/** Whether a document speaks about attacks. */
export function isAboutAttacks(document: string): boolean {
  return new Set((document.match(ABOUT_ATTACKS) ?? []).map((word) => word.toLowerCase())).size >= 2
}

/** Those of the rules that can find something in a block. All that takes reading the whole block is done here, once. */
export function rulesFor(rules: readonly Rule[], { kind, lower, text }: Block): Rule[] {
  return rules.filter(
    ({ only, hints, beside, notBeside }) =>
      (only === undefined || only === kind) &&
      hints.some((hint) => lower.includes(hint)) &&
      (!beside || beside.test(text)) &&
      !notBeside?.test(text),
  )
}

/** What rules for its block find in one sentence or piece of code. */
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
    // Looking for all matches costs a copy of the pattern each time, and most texts have none.
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
  // "Never run it without …" can be read as: run it.
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
