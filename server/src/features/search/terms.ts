/** A word of a query, and how much finding it says. */
export interface Term {
  /** In lower case; with its sign where it is a #tag or @name. */
  readonly text: string
  readonly kind: 'word' | 'tag' | 'name'
  /** The last word may still be on its way. */
  readonly isPrefix: boolean
  /** Its part in the query: 0 says nothing, 1 is a word that is hardly ever written. */
  readonly weight: number
  /** How sure it is that a text with this word is what was looked for, whatever it means. */
  readonly trust: number
}

/** How many of the sampled texts have a word in them, by word. */
export interface Frequencies {
  readonly sampled: number
  readonly texts: ReadonlyMap<string, number>
}

const NOTHING_KNOWN: Frequencies = { sampled: 0, texts: new Map() }
const MOST_TERMS = 16
const SHORTEST_PREFIX = 3
// Words are never the whole of it: among texts with the same ones, the meaning decides.
const MOST_TRUST = 0.95
// In a sentence, a text may have every one of its words and speak of something else.
const LEAST_TRUST = 0.3
const FEW_WORDS = 2
// Written like a name or number, not like a word of a language.
const ODD = /[\p{Number}_@#$./:\\]/u
const LETTERS = /[\p{Letter}\p{Number}]/u
const OUTER = /^[^\p{Letter}\p{Number}#@]+|[^\p{Letter}\p{Number}]+$/gu

// English words that say nothing about what a text is about. Of other languages, what is common is learnt from the texts.
const EMPTY = new Set(
  `a about after all also am an and any are as at be because been before being but by can could did do does doing down
  for from get had has have having he her here hers him his how i if in into is it its just me more most my no nor not
  of off on once only or other our out over own she should so some such than that the their them then there these they
  this those through to too under until up us very was we were what when where which while who whom why will with would
  you your`.split(/\s+/),
)

/** A query without what cannot be seen; empty when nothing is left. */
export function cleanQuery(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\p{Control}\p{Format}\p{Surrogate}\p{Private_Use}\s]+/gu, ' ')
    .trim()
}

/** The words of a clean query, weighed. */
export function termsOf(query: string, frequencies: Frequencies = NOTHING_KNOWN): Term[] {
  const words = [
    ...new Set(
      query
        .toLowerCase()
        .split(' ')
        .map((word) => word.replace(OUTER, '')),
    ),
  ]
    .filter((word) => LETTERS.test(word))
    .slice(0, MOST_TERMS)
  const isPrefix = (word: string) =>
    word === words.at(-1) && [...word].length >= SHORTEST_PREFIX && LETTERS.test(query.at(-1) ?? '')
  const terms = words.map((text): Term => {
    const kind = /^#[\p{Letter}\p{Number}_]+$/u.test(text) ? 'tag' : /^@[a-z0-9_]{3,30}$/.test(text) ? 'name' : 'word'
    const trust = words.length <= FEW_WORDS || ODD.test(text) ? MOST_TRUST : LEAST_TRUST
    return { text, kind, isPrefix: kind === 'word' && isPrefix(text), weight: weigh(text, frequencies), trust }
  })
  // A query of nothing but empty words is looked for as it is.
  const isEmpty = ({ text }: Term) => EMPTY.has(text)
  return terms.every(isEmpty) ? terms : terms.map((term) => (isEmpty(term) ? { ...term, weight: 0 } : term))
}

/**
 * The terms, trusted the more the fewer of all texts have them: `texts` are those found, made readable, of `total` that
 * there are.
 */
export function trustRare(terms: readonly Term[], texts: readonly string[], total: number): Term[] {
  return terms.map((term) => {
    const count = texts.filter((text) => contains(text, term.text, term.isPrefix)).length
    const information = Math.log(Math.max(total, 1) / Math.max(count, 1)) / Math.log(ALL_TELLING)
    return { ...term, trust: Math.max(term.trust, Math.min(information ** 2, MOST_TRUST)) }
  })
}

// A word in one of a million texts tells all.
const ALL_TELLING = 1_000_000

function weigh(word: string, { sampled, texts }: Frequencies): number {
  const parts = word.split(/[^\p{Letter}\p{Number}]+/u).filter(Boolean)
  const share = (count: number) => (count + 0.5) / (sampled + 10)
  const rarest = Math.min(...parts.map((part) => share(texts.get(part) ?? 0)))
  return Math.log(rarest) / Math.log(share(0))
}

/** Queries of the full-text index: all words together, and each of the rarest alone. */
export function textQueries(terms: readonly Term[]): string[] {
  const telling = terms.filter(({ weight }) => weight > 0)
  if (telling.length === 0) return []
  const rarest = telling
    .filter(({ weight }) => weight >= COMMON)
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MOST_ALONE)
  return [...new Set([telling.map(lexeme).join(' & '), ...rarest.map(lexeme)])]
}

const MOST_ALONE = 4
// About one text in a hundred has the word.
const COMMON = 0.45

// In quotes everything is text to the parser of queries, whatever it would mean elsewhere.
function lexeme({ text, isPrefix }: Term): string {
  return `'${text.replace(/^[#@]/, '').replace(/['\\]/g, '$&$&')}'${isPrefix ? ':*' : ''}`
}

/** A text that was found, as far as its words count. */
export interface Written {
  /** Made readable. */
  readonly text: string
  /** Username of its author. */
  readonly by?: string | undefined
}

/** How much of what the query says stands in a text, 0 to 1. Rare words count for more than common ones. */
export function wordsIn({ text, by }: Written, terms: readonly Term[], query: string): number {
  let all = 0
  let found = 0
  let strongest = 0
  let trust = 0
  for (const term of terms) {
    const part = foundPart(text, by, term)
    all += term.weight ** 2
    found += part * term.weight ** 2
    strongest = Math.max(strongest, part * term.weight)
    if (part > 0) trust = Math.max(trust, term.trust)
  }
  if (found === 0) return 0
  const isPhrase = terms.length > 1 && text.includes(query.toLowerCase())
  return isPhrase ? MOST_TRUST * Math.sqrt(strongest) : trust * (found / all) ** 2 * strongest
}

/** A text as words are looked for in it. */
export function readable(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ')
}

// A #tag or @name counts half where it stands without its sign.
function foundPart(text: string, by: string | undefined, { text: word, kind, isPrefix }: Term): number {
  if (contains(text, word, isPrefix) || (kind === 'name' && word === `@${by}`)) return 1
  return kind !== 'word' && contains(text, word.slice(1), false) ? 0.5 : 0
}

function contains(text: string, word: string, isPrefix: boolean): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    const isStart = !LETTERS.test(text[at - 1] ?? ' ')
    if (isStart && (isPrefix || !LETTERS.test(text[at + word.length] ?? ' '))) return true
  }
  return false
}
