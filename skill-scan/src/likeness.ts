import type { Finding } from './finding.js'
import { bucketOf, learnt, type Model, type Network } from './model.js'
import { type PieceLengths, readBlocks, sentencesOf } from './text.js'
import { CLEARLY_HARMLESS, MAYBE_BY_LETTERS, MAYBE_HARMFUL, SURELY_HARMFUL } from './weights.js'

/** A part of a document that is judged on its own, so that harmless text around a harmful passage does not hide it. */
export interface Passage {
  readonly text: string
  readonly line: number
}

/** Returns what the layers of the local sentence model make of each text, or nothing where that model does not load. */
export type Embed = (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>

const PIECES: PieceLengths = { prose: 300, code: 200, overlap: 0 }
// A sentence or two: in more, one harmful clause among harmless ones disappears.
const SHORTEST = 90
// In a long document passages are longer instead of more.
const MOST_PASSAGES = 200
// The sentence model takes some milliseconds for each.
const MOST_EMBEDDED = 64
// One line of a few words is left to the rules.
const FEWEST_WORDS = 4

/** Splits a document into passages. */
export function passagesOf(document: string): Passage[] {
  const parts = readBlocks(document)
    .flatMap((block) => sentencesOf(block, PIECES))
    .map(({ text, line }) => ({ text: text.replace(/\s+/g, ' ').trim(), line }))
    .filter(({ text }) => /\p{Letter}{2}/u.test(text))
  const length = parts.reduce((sum, { text }) => sum + text.length, 0)
  const wanted = Math.max(SHORTEST, Math.ceil((2 * length) / MOST_PASSAGES))
  const passages: Passage[] = []
  for (const { text, line } of parts) {
    const last = passages.at(-1)
    if (last && last.text.length + text.length < wanted)
      passages[passages.length - 1] = { ...last, text: `${last.text} ${text}` }
    else passages.push({ text, line })
  }
  return passages
}

const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{Letter}_]+|[$@|]/gu
const LONGEST_WORD = 40

/** The words of a text, without accents; addresses are all alike, and signs of scripts without spaces are words. */
export function wordsOf(text: string): string[] {
  return (
    text
      .toLowerCase()
      .normalize('NFKD')
      .replace(/\p{Mark}/gu, '')
      .replace(/\bhttps?:\/\/\S+/g, ' urlurl ')
      .replace(/\b0x[0-9a-f]{8,}/g, ' hexhex ')
      .match(WORD)
      ?.map((word) => word.slice(0, LONGEST_WORD)) ?? []
  )
}

const STEM = 6

/** What the model knows of a text: its words without endings, those near each other, and sequences of three and four letters. */
export function featuresOf(text: string, size: number): number[] {
  const words = wordsOf(text)
  const stems = words.map((word) => word.slice(0, STEM))
  const features = new Set<number>()
  const add = (feature: string) => features.add(bucketOf(feature, size))
  for (const [index, stem] of stems.entries()) {
    add(stem)
    if (index > 0) add(`${stems[index - 1]} ${stem}`)
    if (index > 1) add(`${stems[index - 2]}  ${stem}`)
  }
  for (const word of words) {
    const whole = ` ${word} `
    for (let length = 3; length <= 4; length++)
      for (let at = 0; at + length <= whole.length; at++) add(`#${whole.slice(at, at + length)}`)
  }
  return [...features]
}

// A few words say little, and the more a passage has, the less each of them counts.
const FEW = 400

/** By how much the weights of a passage count. */
export function scaleOf(features: number): number {
  return 1 / Math.sqrt(Math.max(features, FEW))
}

/** How much a text resembles harmful ones: the logarithm of the odds, as the model sees them. */
export function likenessOf(model: Model, features: readonly number[], vector?: ArrayLike<number>): number {
  let sum = 0
  for (const feature of features) sum += model.letters[feature] ?? 0
  const likeness = model.bias + sum * scaleOf(features.length)
  return vector ? LETTERS_SHARE * likeness + oddsOf(model.network, vector) : likeness
}

// The network alone knows more than the letters, except in languages of which the sentence model knows little.
const LETTERS_SHARE = 0.5

function oddsOf({ hidden, biases, out, bias }: Network, vector: ArrayLike<number>): number {
  let odds = bias
  for (let unit = 0; unit < out.length; unit++) {
    let sum = biases[unit] as number
    const start = unit * vector.length
    for (let index = 0; index < vector.length; index++)
      sum += (hidden[start + index] as number) * (vector[index] as number)
    if (sum > 0) odds += sum * (out[unit] as number)
  }
  return odds
}

/** What the model thinks of a whole document. */
export interface Judgement {
  /** The likeness of its worst passage. */
  readonly worst: number
  readonly line: number | null
  /** Without vectors it knows less. */
  readonly hasVectors: boolean
}

/** Judges each passage of a document. Vectors are asked for those alone whose letters look worst. */
export async function judge(passages: readonly Passage[], embed?: Embed, model = learnt): Promise<Judgement> {
  const judged = passages
    .filter(({ text }) => wordsOf(text).length >= FEWEST_WORDS)
    .map(({ text, line }) => ({ text, line, features: featuresOf(text, model.letters.length) }))
    .map((passage) => ({ ...passage, likeness: likenessOf(model, passage.features) }))
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, MOST_EMBEDDED)
  const vectors = judged.length > 0 ? await embed?.(judged.map(({ text }) => text)) : undefined
  let worst: Judgement = { worst: Number.NEGATIVE_INFINITY, line: null, hasVectors: vectors !== undefined }
  for (const [index, { features, line }] of judged.entries()) {
    const likeness = likenessOf(model, features, vectors?.[index])
    if (likeness > worst.worst) worst = { ...worst, worst: likeness, line }
  }
  return worst
}

/** Whether everything in a document resembles harmless ones. */
export function isClearlyHarmless({ worst, hasVectors }: Judgement): boolean {
  return hasVectors && worst < CLEARLY_HARMLESS
}

/** Labels a document whose worst passage resembles harmful ones. Without vectors the scan is never sure. */
export function findLikeness({ worst, line, hasVectors }: Judgement): Finding[] {
  if (worst < (hasVectors ? MAYBE_HARMFUL : MAYBE_BY_LETTERS)) return []
  const rule = 'resembles-harmful'
  if (worst >= SURELY_HARMFUL && hasVectors)
    return [
      {
        rule,
        severity: 'warning',
        line,
        message: 'A passage from here on resembles harmful ones. Read it before you use it.',
      },
    ]
  return [
    {
      rule,
      severity: 'unsure',
      line,
      message: 'A passage from here on may resemble harmful ones; it may as well be harmless.',
    },
  ]
}
