import type { ScanResult } from '@rookery/api'
import { commandRules } from './commands.js'
import { isAboutAttacks } from './context.js'
import { decodedIn, isProse } from './encoded.js'
import type { Finding } from './finding.js'
import { findHiddenText } from './hidden-text.js'
import { type Embed, findLikeness, isClearlyHarmless, judge, passagesOf, wordsOf } from './likeness.js'
import { findLookAlikes } from './look-alikes.js'
import { isUnknownLanguage } from './model.js'
import { persuasionRules } from './persuasion.js'
import { readingsOf } from './readings.js'
import { applyRules, rulesFor } from './rules.js'
import { type About, findKeyFiles, findOwnKeys, secretRules } from './secrets.js'
import { type Block, plain, readBlocks, sentencesOf } from './text.js'

/** The version of the rules. Skills that were scanned with older rules are scanned again. */
export const RULES_VERSION = 6

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
  /** The host of the platform, to which agents send their keys. */
  readonly host?: string
}

const rules = [...commandRules, ...secretRules, ...persuasionRules]
const MOST_FINDINGS = 50
// Each level of encoding makes a text longer, so that what is inside is soon short.
const MOST_LEVELS = 4

/**
 * Scans for attacks that have hurt agents and their owners. The same text always gets the same result, apart from vectors:
 * without them the scan is never sure of what only its model finds.
 */
export async function scanSkill(
  { name, description, document }: Scanned,
  known: KnownNames,
  containsApiKey: (text: string) => boolean,
  embed?: Embed,
): Promise<ScanResult> {
  const about = { aboutAttacks: isAboutAttacks(plain(document)), host: known.host }
  const pause = createPause()
  const heading = `${name}\n\n${description}`
  const reading = readingsOf(document)[0] ?? document
  const judgement = await judge(passagesOf(reading), embed)
  const found = [
    ...findLookAlikes(name, known.popular, known.platform),
    ...findHiddenText(heading).map(withoutLine),
    ...(await readAll(heading, about, pause)).map(withoutLine),
    ...findOwnKeys(document, containsApiKey),
    ...findHiddenText(document),
    ...(await readAll(document, about, pause, isClearlyHarmless(judgement) ? doubtedByModel : undefined)),
  ]
  return resultOf([
    ...(found.length > 0 ? found : findLikeness(judgement)),
    ...(isUnknownLanguage(wordsOf(reading)) ? [unknownLanguage] : []),
  ])
}

// What a rule knows, in a document that is otherwise like harmless ones: a lesson has the same words as an attack. A key is a key.
const doubtedByModel = (finding: Finding): Finding =>
  finding.rule === 'secret-in-text'
    ? finding
    : { ...finding, severity: finding.severity === 'blocked' ? 'warning' : 'unsure' }

const unknownLanguage: Finding = {
  rule: 'unknown-language',
  severity: 'unsure',
  line: null,
  message:
    'The scan hardly knows the language of this text, so that it says little about it: read it before you use it.',
}

/** Applies the rules to a text in every way that it can be read, and to what is encoded in it. Only what stands there openly is rated. */
async function readAll(
  text: string,
  about: About,
  pause: Pause,
  rate = (finding: Finding) => finding,
  level = 0,
): Promise<Finding[]> {
  const blocks = readBlocks(text)
  const readings = readingsOf(text)
  const findings = [...(await readBlocksOf(blocks, about, pause)), ...findKeyFiles(blocks, about)].map(rate)
  const seen = new Set(blocks.map(({ text }) => text))
  for (const reading of readings) {
    const others = readBlocks(reading)
    const unseen = others.filter((block) => !seen.has(block.text))
    if (unseen.length === 0) continue
    findings.push(...(await readBlocksOf(unseen, about, pause)), ...findKeyFiles(others, about))
  }
  const encoded = new Map([text, ...readings].flatMap(decodedIn).map((decoded) => [decoded.text, decoded.line]))
  for (const [decoded, line] of encoded) {
    const found = level < MOST_LEVELS ? await readAll(decoded, about, pause, undefined, level + 1) : []
    findings.push(...found.map((finding) => ({ ...finding, line })))
    if (found.length === 0 && (isProse(decoded) || level >= MOST_LEVELS)) findings.push(encodedProse(line))
  }
  return findings
}

async function readBlocksOf(blocks: readonly Block[], about: About, pause: Pause): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const block of blocks) {
    const fitting = rulesFor(rules, block)
    await pause(block.text.length)
    if (fitting.length === 0) continue
    for (const sentence of sentencesOf(block)) {
      findings.push(...applyRules(fitting, sentence, about.aboutAttacks))
      await pause(sentence.text.length)
    }
  }
  return findings
}

// How much to read before yielding to other work.
const CHARACTERS_AT_ONCE = 2_000

type Pause = (characters: number) => Promise<void>

function createPause(): Pause {
  let read = 0
  return async (characters) => {
    read += characters
    if (read < CHARACTERS_AT_ONCE) return
    read = 0
    await new Promise<void>((resolve) => void setImmediate(resolve))
  }
}

function encodedProse(line: number): Finding {
  return {
    rule: 'hidden-text',
    severity: 'warning',
    line,
    message: 'Sentences are encoded so that people cannot read them.',
  }
}

const withoutLine = (finding: Finding): Finding => ({ ...finding, line: null })

function resultOf(found: readonly Finding[]): ScanResult {
  const has = (wanted: Finding['severity']) => found.some(({ severity }) => severity === wanted)
  const order = ({ severity }: Finding) => ['blocked', 'warning', 'unsure'].indexOf(severity)
  const findings = distinct([...found].sort((a, b) => order(a) - order(b) || (a.line ?? 0) - (b.line ?? 0)))
  return {
    status: has('blocked') ? 'blocked' : has('warning') ? 'warning' : 'clean',
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
