import { BIAS, HIDDEN, HIDDEN_BIASES, KNOWN_WORDS, LETTERS, OUT, OUT_BIAS, SPREADS } from './weights.js'

/** A network of one hidden layer over what the layers of the sentence model make of a passage. */
export interface Network {
  /** The weights of the first hidden unit, then of the second, and so on. */
  readonly hidden: ArrayLike<number>
  readonly biases: ArrayLike<number>
  readonly out: ArrayLike<number>
  readonly bias: number
}

/** A linear model over the letters of a passage, and a network over its vector. */
export interface Model {
  readonly bias: number
  readonly letters: ArrayLike<number>
  readonly network: Network
}

const bytesOf = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'))

function weightsOf({ unit, bytes }: { readonly unit: number; readonly bytes: string }): Float64Array {
  return Float64Array.from(new Int8Array(bytesOf(bytes).buffer), (weight) => weight * unit)
}

/** The weights of a network that learnt from vectors whose every part was divided by its spread. */
export function overSpreads(hidden: ArrayLike<number>, spreads: ArrayLike<number>): Float32Array {
  return Float32Array.from(hidden, (weight, index) => weight / (spreads[index % spreads.length] as number))
}

/** What the scan has learnt from its corpus. */
export const learnt: Model = {
  bias: BIAS,
  letters: weightsOf(LETTERS),
  network: {
    hidden: overSpreads(weightsOf(HIDDEN), new Float32Array(bytesOf(SPREADS).buffer)),
    biases: HIDDEN_BIASES,
    out: OUT,
    bias: OUT_BIAS,
  },
}

const knownWords = bytesOf(KNOWN_WORDS)
const KNOWN_SHARE = 0.5
const FEWEST_WORDS = 20

/** Distributes texts evenly over the numbers below `size`, which is a power of two. */
export function bucketOf(text: string, size: number): number {
  let hash = 2_166_136_261
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16_777_619)
  hash = Math.imul(hash ^ (hash >>> 15), 0x85eb_ca6b)
  return (hash ^ (hash >>> 13)) & (size - 1)
}

/** The share of the words of a text that the scan has seen before. */
export function knownShareOf(words: readonly string[]): number {
  const distinct = [...new Set(words)]
  const isKnown = (word: string) => {
    const bit = bucketOf(word, knownWords.length * 8)
    return (((knownWords[bit >> 3] as number) >> (bit & 7)) & 1) === 1
  }
  return distinct.filter(isKnown).length / Math.max(distinct.length, 1)
}

/** Whether a text is long enough to tell its language, and in one of which the scan has hardly learnt anything. */
export function isUnknownLanguage(words: readonly string[]): boolean {
  return words.length >= FEWEST_WORDS && knownShareOf(words) < KNOWN_SHARE
}
