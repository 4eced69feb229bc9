import { isDoubtful } from './context.js'
import type { Finding, Severity } from './finding.js'
import type { Block, Sentence } from './text.js'

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
  /** The kind of block it is made for. In the other kind, a match deserves only a warning. */
  readonly madeFor?: Block['kind']
  /** Whether a match deserves only a warning. */
  readonly isMilder?: (match: string) => boolean
  /** Must also occur in the same block. */
  readonly requires?: RegExp
  /** With this in the same block, a match deserves only a warning. */
  readonly mitigatedBy?: RegExp
}

const DOUBT = 'What surrounds it speaks against it, so the scan is not sure: read it before you use it.'

/** Selects the rules that can match in a block. Everything that needs the whole block is done here, once. */
export function rulesFor(rules: readonly Rule[], block: Block): Rule[] {
  return rules.filter(
    ({ hints, requires }) =>
      hints.some((hint) => block.lower.includes(hint)) && (!requires || requires.test(block.text)),
  )
}

/** Applies the rules of its block to one sentence or piece of code. */
export function applyRules(rules: readonly Rule[], sentence: Sentence, aboutAttacks: boolean): Finding[] {
  return rules.flatMap((rule) => worstOf(rule, sentence, aboutAttacks) ?? [])
}

// The first match of the worst severity: one that is warned of must not cover another that is not.
function worstOf(rule: Rule, sentence: Sentence, aboutAttacks: boolean): Finding | undefined {
  let worst: Finding | undefined
  for (const pattern of rule.patterns) {
    // Finding all matches copies the pattern each time, and most texts have none.
    if (!pattern.test(sentence.text)) continue
    for (const match of sentence.text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
      const finding = findingOf(rule, sentence, match, aboutAttacks)
      if (finding.severity === 'blocked') return finding
      worst ??= finding
    }
  }
  return worst
}

function findingOf(
  rule: Rule,
  sentence: Sentence,
  { index, 0: match }: RegExpExecArray,
  aboutAttacks: boolean,
): Finding {
  const { block, start } = sentence
  const line = block.kind === 'code' ? block.lineAt(start + index) : sentence.line
  const finding = { rule: rule.name, line, message: rule.message }
  if (isMilderHere(rule, block, match)) return { ...finding, severity: 'warning' }
  return rule.severity === 'blocked' && isDoubtful(sentence, index, index + match.length, aboutAttacks)
    ? doubted(finding)
    : { ...finding, severity: rule.severity }
}

function isMilderHere(rule: Rule, block: Block, match: string): boolean {
  return (
    (rule.madeFor !== undefined && rule.madeFor !== block.kind) ||
    rule.isMilder?.(match) === true ||
    rule.mitigatedBy?.test(block.text) === true
  )
}

/** Something that would be blocked if its context did not speak against it. */
export function doubted(finding: Omit<Finding, 'severity'>): Finding {
  return { ...finding, severity: 'warning', message: `${finding.message} ${DOUBT}` }
}
