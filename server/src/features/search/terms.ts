/** A word of a query, and how significant a match is. */
export interface Term {
  /** In lower case; a #tag or @name keeps its sign. */
  readonly text: string
  readonly kind: 'word' | 'tag' | 'name'
  /** Whether this is the last word, which the user may still be typing. */
  readonly isPrefix: boolean
  /** The rarity of the word: 0 is insignificant, 1 is very rare. */
  readonly weight: number
  /** The probability that a text with this word is what the query means, regardless of its meaning. */
  readonly trust: number
}

/** The number of sampled texts that contain a word, by word. */
export interface Frequencies {
  readonly sampled: number
  readonly texts: ReadonlyMap<string, number>
}

const NO_FREQUENCIES: Frequencies = { sampled: 0, texts: new Map() }
const MAX_TERMS = 16
const MIN_PREFIX_LENGTH = 3
// Below 1, so that meaning decides among texts with the same words.
const MAX_TRUST = 0.95
// A text may have every word of a sentence and still be about something else.
const MIN_TRUST = 0.3
const FEW_WORDS = 2
// Characters of names and numbers, rather than of ordinary words.
const IDENTIFIER_LIKE = /[\p{Number}_@#$./:\\]/u
// A year or a count says little by itself.
const BARE_NUMBER = /^[\p{Number}.,]+$/u
const LETTERS = /[\p{Letter}\p{Number}]/u
const OUTER_PUNCTUATION = /^[^\p{Letter}\p{Number}#@]+|[^\p{Letter}\p{Number}]+$/gu

// English words that do not say what a text is about. The common words of other languages show in the frequencies.
const STOP_WORDS = new Set(
  `a about after all also am an and any are as at be because been before being but by can could did do does doing down
  for from get had has have having he her here hers him his how i if in into is it its just me more most my no nor not
  of off on once only or other our out over own she should so some such than that the their them then there these they
  this those through to too under until up us very was we were what when where which while who whom why will with would
  you your`.split(/\s+/),
)

/** Whether a word, in lower case, says nothing about the subject of a text. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word)
}

/** Removes invisible characters from a query; the result may be empty. */
export function cleanQuery(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Control}\p{Format}\p{Surrogate}\p{Private_Use}\s]+/gu, ' ')
    .trim()
}

/** Splits a clean query into weighted terms. */
export function parseTerms(query: string, frequencies: Frequencies = NO_FREQUENCIES): Term[] {
  const words = [
    ...new Set(
      query
        .toLowerCase()
        .split(' ')
        .map((word) => word.replace(OUTER_PUNCTUATION, '')),
    ),
  ]
    .filter((word) => LETTERS.test(word))
    .slice(0, MAX_TERMS)
  const isPrefix = (word: string) =>
    word === words.at(-1) && [...word].length >= MIN_PREFIX_LENGTH && LETTERS.test(query.at(-1) ?? '')
  const terms = words.map((text): Term => {
    const kind = /^#[\p{Letter}\p{Number}_]+$/u.test(text) ? 'tag' : /^@[a-z0-9_]{3,30}$/.test(text) ? 'name' : 'word'
    const trust = words.length <= FEW_WORDS || IDENTIFIER_LIKE.test(text) ? MAX_TRUST : MIN_TRUST
    return { text, kind, isPrefix: kind === 'word' && isPrefix(text), weight: weigh(text, frequencies), trust }
  })
  // A query of stop words only keeps their weights.
  const isStop = ({ text }: Term) => isStopWord(text)
  return terms.every(isStop) ? terms : terms.map((term) => (isStop(term) ? { ...term, weight: 0 } : term))
}

/** Raises the trust in terms that few of `total` texts contain, as far as the matches show. */
export function trustRareTerms(terms: readonly Term[], matches: readonly WordMatch[], total: number): Term[] {
  return terms.map((term, place) => {
    const count = matches.filter(({ isIn }) => isIn[place]).length
    const information = Math.log(Math.max(total, 1) / Math.max(count, 1)) / Math.log(FULL_TRUST_TEXTS)
    return { ...term, trust: Math.max(term.trust, Math.min(information ** 2, MAX_TRUST)) }
  })
}

// A word that occurs in one of this many texts has full trust.
const FULL_TRUST_TEXTS = 1_000_000

function weigh(word: string, { sampled, texts }: Frequencies): number {
  const parts = word.split(/[^\p{Letter}\p{Number}]+/u).filter(Boolean)
  const share = (count: number) => (count + 0.5) / (sampled + 10)
  const rarest = Math.min(...parts.map((part) => share(texts.get(part) ?? 0)))
  return Math.log(rarest) / Math.log(share(0))
}

/** Builds queries for the full-text index: one for all words together, and one for each of the rarest. */
export function buildTextQueries(terms: readonly Term[]): string[] {
  const significant = terms.filter(({ weight }) => weight > 0)
  if (significant.length === 0) return []
  const rarest = significant
    .filter(({ weight }) => weight >= MIN_SINGLE_WEIGHT)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_SINGLE_WORDS)
  return [...new Set([significant.map(lexeme).join(' & '), ...rarest.map(lexeme)])]
}

const MAX_SINGLE_WORDS = 4
// The weight of a word that occurs in about one text in a hundred.
const MIN_SINGLE_WEIGHT = 0.45

// Within quotes the query parser treats operators as text.
function lexeme({ text, isPrefix }: Term): string {
  return `'${text.replace(/^[#@]/, '').replace(/['\\]/g, '$&$&')}'${isPrefix ? ':*' : ''}`
}

/** A text to match against the words of a query. */
export interface SearchedText {
  /** Normalized with `normalizeText`. */
  readonly text: string
  /** The author's username. */
  readonly by?: string | undefined
}

/** How a text matches the terms of a query, in their order: all that its score needs to know of the text. */
export interface WordMatch {
  /** Whether the text has the term. */
  readonly isIn: readonly boolean[]
  /** How much of the term it matches, 0 to 1. */
  readonly parts: readonly number[]
  /** Whether it has the whole query, word for word. */
  readonly isPhrase: boolean
}

export function matchWords({ text, by }: SearchedText, terms: readonly Term[], query: string): WordMatch {
  const isIn = terms.map((term) => contains(text, term.text, term.isPrefix))
  return {
    isIn,
    parts: terms.map((term, place) => (isIn[place] ? 1 : matchAbsent(text, by, term))),
    isPhrase: terms.length > 1 && text.includes(query.toLowerCase()),
  }
}

/** Scores how much of a query's words a text contains; see `scoreMatch`. */
export function scoreWords(text: SearchedText, terms: readonly Term[], query: string): number {
  return scoreMatch(matchWords(text, terms, query), terms)
}

/**
 * Scores a match, 0 to 1. Rare words count more than common ones. A number counts only beside another word of the query, if
 * the query has any.
 */
export function scoreMatch({ parts, isPhrase }: WordMatch, terms: readonly Term[]): number {
  let totalWeight = 0
  let matchedWeight = 0
  let strongest = 0
  let trust = 0
  let isBare = terms.some(isOtherThanNumber)
  for (const [place, term] of terms.entries()) {
    const part = parts[place] ?? 0
    totalWeight += term.weight ** 2
    matchedWeight += part * term.weight ** 2
    strongest = Math.max(strongest, part * term.weight)
    if (part > 0) trust = Math.max(trust, term.trust)
    if (part > 0 && isOtherThanNumber(term)) isBare = false
  }
  if (matchedWeight === 0 || isBare) return 0
  return isPhrase ? MAX_TRUST * Math.sqrt(strongest) : trust * (matchedWeight / totalWeight) ** 2 * strongest
}

const isOtherThanNumber = ({ text, weight }: Term) => weight > 0 && !BARE_NUMBER.test(text)

/** Normalizes a text for the comparison with words. */
export function normalizeText(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
}

// A #tag or @name counts half if the text has it without the sign.
function matchAbsent(text: string, by: string | undefined, { text: word, kind }: Term): number {
  if (kind === 'name' && word === `@${by}`) return 1
  return kind !== 'word' && contains(text, word.slice(1), false) ? 0.5 : 0
}

function contains(text: string, word: string, isPrefix: boolean): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isStart = !LETTERS.test(text[at - 1] ?? ' ')
    if (isStart && (isPrefix || !LETTERS.test(text[at + word.length] ?? ' '))) return true
  }
  return false
}
