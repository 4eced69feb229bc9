import type { ScanResult } from '@rookery/api'
import { commandRules } from './commands.js'
import type { Finding } from './finding.js'
import { findHiddenText } from './hidden-text.js'
import { findLookAlikes } from './look-alikes.js'
import { persuasionRules } from './persuasion.js'
import { applyRules, isAboutAttacks, rulesFor } from './rules.js'
import { findKeyFiles, findOwnKeys, secretRules } from './secrets.js'
import { type Block, plain, readBlocks, sentencesOf } from './text.js'

/** The version of the rules. Skills that were scanned with older rules are scanned again. */
export const RULES_VERSION = 2

export interface Scanned {
  readonly name: string
  readonly description: string
  /** The raw document, including its front matter. */
  readonly document: string
}

/** The names to compare with. */
export interface KnownNames {
  /** Names of popular items of other owners. */
  readonly popular: readonly string[]
  readonly platform: string
}

const rules = [...commandRules, ...secretRules, ...persuasionRules]
const MOST_FINDINGS = 50

/** Scans for attacks that have hurt agents and their owners. The same text always gets the same result. */
export async function scanSkill(
  { name, description, document }: Scanned,
  known: KnownNames,
  containsApiKey: (text: string) => boolean,
): Promise<ScanResult> {
  const headings = [...readBlocks(name), ...readBlocks(description)]
  const blocks = readBlocks(document)
  const aboutAttacks = isAboutAttacks(plain(document))
  return resultOf([
    ...findLookAlikes(name, known.popular, known.platform),
    ...findHiddenText(`${name}\n${description}`).map(withoutLine),
    ...(await readAll(headings, aboutAttacks)).map(withoutLine),
    ...findOwnKeys(document, containsApiKey),
    ...findHiddenText(document),
    ...(await readAll(blocks, aboutAttacks)),
    ...findKeyFiles(blocks),
  ])
}

// How much to read before yielding to other work.
const CHARACTERS_AT_ONCE = 2_000

async function readAll(blocks: readonly Block[], aboutAttacks: boolean): Promise<Finding[]> {
  const findings: Finding[] = []
  let read = 0
  const pauseAfter = async (characters: number) => {
    read += characters
    if (read < CHARACTERS_AT_ONCE) return
    read = 0
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
  for (const block of blocks) {
    const fitting = rulesFor(rules, block)
    await pauseAfter(block.text.length)
    if (fitting.length === 0) continue
    for (const sentence of sentencesOf(block)) {
      findings.push(...applyRules(fitting, sentence, aboutAttacks))
      await pauseAfter(sentence.text.length)
    }
  }
  return findings
}

const withoutLine = (finding: Finding): Finding => ({ ...finding, line: null })

function resultOf(found: readonly Finding[]): ScanResult {
  const isBlocked = found.some(({ severity }) => severity === 'blocked')
  const order = (one: Finding) => (one.severity === 'blocked' ? 0 : 1)
  const findings = distinct([...found].sort((a, b) => order(a) - order(b) || (a.line ?? 0) - (b.line ?? 0)))
  return {
    status: isBlocked ? 'blocked' : findings.length > 0 ? 'warning' : 'clean',
    findings: findings.slice(0, MOST_FINDINGS),
  }
}

// One finding per rule and line, the worst.
function distinct(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ rule, line }) => {
    const key = `${rule} ${line}`
    return !seen.has(key) && seen.add(key)
  })
}
