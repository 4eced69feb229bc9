import type { Finding } from './finding.js'
import { findSuspicious, type Suspicion } from './suspicion.js'
import { type Block, type PieceLengths, sentencesOf } from './text.js'
import { BIAS, WEIGHTS } from './weights.js'

/** Above this, a passage resembles harmful documents more than harmless ones. */
const THRESHOLD = 0

const MOST_SIGNALS = 4
const WORDS_AT_ONCE = 150
const WORD = /[a-z_]{2,}|[à-ÿ]+|[а-яё]{2,}|[\u3040-\u30ff\u4e00-\u9fff]|[@$]/g

const STEM = 5

// Meanings that stand far apart have nothing to do with each other.
const SHORT: PieceLengths = { prose: 1_500, code: 4_000, overlap: 600 }

/** The words of a text as the model knows them: without endings, addresses all alike, and no numbers. */
function wordsOf(lower: string): string[] {
  return (
    lower
      .replace(/\b(?:https?|hxxps?):\/\/\S+/g, ' http_url ')
      .replace(/\b0x[0-9a-f]{8,}/g, ' hex_address ')
      .match(WORD)
      ?.map((word) => word.slice(0, STEM)) ?? []
  )
}

/** A part of a document that is judged on its own, so that harmless text around a harmful passage does not hide it. */
export interface Passage {
  readonly words: readonly string[]
  readonly suspicions: readonly Suspicion[]
}

/** Splits a document into passages that overlap by half. */
export function passagesOf(blocks: readonly Block[]): Passage[] {
  const parts = blocks
    .flatMap((block) => sentencesOf(block, SHORT))
    .map((sentence) => ({ words: wordsOf(sentence.text.toLowerCase()), suspicions: findSuspicious(sentence) }))
  const passages: Passage[] = []
  for (let from = 0; from < parts.length; ) {
    let to = from
    let count = 0
    let half = from
    while (to < parts.length && count < WORDS_AT_ONCE) {
      count += parts[to]?.words.length ?? 0
      to++
      if (count < WORDS_AT_ONCE / 2) half = to
    }
    const inside = parts.slice(from, to)
    passages.push({
      words: inside.flatMap(({ words }) => words),
      suspicions: inside.flatMap(({ suspicions }) => suspicions),
    })
    if (to === parts.length) break
    from = Math.max(from + 1, half)
  }
  return passages
}

/** What the model knows of a passage: which words and signals occur. */
export function featuresOf({ words, suspicions }: Passage): string[] {
  const signals = new Set(suspicions.map(({ signal }) => signal))
  const several = Array.from({ length: Math.min(signals.size, MOST_SIGNALS) }, (_, index) => `#several${index}`)
  return [...new Set(words), ...Array.from(signals, (signal) => `#${signal}`), ...several]
}

// A few words say little, and the more a passage has, the less each of them counts.
const FEW = 30
// One line of ordinary words is left to the rules.
const FEWEST = 15

/** By how much the weights of a passage count. */
export function scaleOf(features: number): number {
  return 1 / Math.sqrt(Math.max(features, FEW))
}

/** How much a passage resembles harmful documents. */
function likenessOf(passage: Passage): number {
  const known = featuresOf(passage).flatMap((feature) => WEIGHTS.get(feature) ?? [])
  if (known.length < FEWEST) return Number.NEGATIVE_INFINITY
  return BIAS + known.reduce((sum, weight) => sum + weight, 0) * scaleOf(known.length)
}

/** Finds passages that resemble harmful documents, with the signals in them. */
export function findLikeness(blocks: readonly Block[]): Finding[] {
  const passages = passagesOf(blocks).filter((passage) => likenessOf(passage) > THRESHOLD)
  if (passages.length === 0) return []
  const findings = passages.flatMap(({ suspicions }) => suspicions.map(({ finding }) => finding))
  const message = 'Its words resemble those of harmful documents. The scan is not sure: read it before you use it.'
  return findings.length > 0 ? findings : [{ rule: 'resembles-harmful', severity: 'warning', line: null, message }]
}
