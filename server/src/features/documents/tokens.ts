// A run of letters, of letters and digits mixed, of spaces, or a single other character.
const RUN = /[A-Za-z]+(?![A-Za-z0-9])|[A-Za-z0-9]+| +|[\s\S]/gu
// The parts of a name such as priceAfterFeeWei.
const PART = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g
// What nobody can pronounce is no word that a tokenizer has as a whole.
const ODD = /[A-Z]{2}|[^aeiouy]{5}|[^aeiouy]{4}$|q(?!u)|^[^aeiouy]{3,}$/
const encoder = new TextEncoder()

/**
 * Counts the tokens of an answer cautiously: the tokenizers of usual models count fewer. They differ from one another, and an
 * exact count of one of them would cost more than the answer. What is `quoted` in the text may be anything: each letter of it is
 * taken as one of a word that no tokenizer knows.
 */
export function countTokens(text: string, quoted: readonly string[] = []): number {
  const more = quoted.reduce((sum, words) => sum + count(words, unknownWord, 1) - count(words, knownWord, 0.7), 0)
  return Math.ceil(count(text, knownWord, 0.7) + more)
}

function count(text: string, wordTokens: (part: string) => number, perCharacter: number): number {
  let tokens = 0
  for (const [run] of text.matchAll(RUN)) {
    // The last space belongs to the word after it.
    if (run.startsWith(' ')) tokens += Math.ceil((run.length - 1) / 4)
    else if (/^[A-Za-z]+$/.test(run)) for (const [part] of run.matchAll(PART)) tokens += wordTokens(part)
    else if (/^[A-Za-z0-9]+$/.test(run)) tokens += run.length * perCharacter
    // Outside of ASCII a token is a byte at least.
    else tokens += encoder.encode(run).length
  }
  return tokens
}

function knownWord(part: string): number {
  return /[A-Z]{2}/.test(part) ? part.length / 2.5 : Math.ceil(part.length / 7)
}

function unknownWord(part: string): number {
  return Math.ceil(part.length * (ODD.test(part) ? 0.9 : 0.55))
}
