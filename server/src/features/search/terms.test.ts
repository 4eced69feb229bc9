import { describe, expect, test } from 'vitest'
import { fuse } from './fuse.js'
import {
  buildTextQueries,
  cleanQuery,
  type Frequencies,
  matchWords,
  normalizeText,
  parseTerms,
  scoreWords,
  trustRareTerms,
} from './terms.js'

const none: Frequencies = { sampled: 0, texts: new Map() }
const many: Frequencies = { sampled: 5_000, texts: new Map(Object.entries({ good: 400, morning: 300, coffee: 40 })) }
const texts = (query: string, frequencies = none) => parseTerms(query, frequencies).map(({ text }) => text)

describe('the words of a query', () => {
  test('are split at spaces, without case and outer punctuation', () => {
    expect(texts('Hello, (World)! Hello…')).toEqual(['hello', 'world'])
    expect(texts('"v1.2.3" zxq-9000; don’t')).toEqual(['v1.2.3', 'zxq-9000', 'don’t'])
    expect(texts('!!! ... 🦉')).toEqual([])
  })

  test('are #tags and @names only if they look like one', () => {
    const kinds = (query: string) => parseTerms(query, none).map(({ kind }) => kind)
    expect(kinds('#rust @alice #a-b @x plain')).toEqual(['tag', 'name', 'word', 'word', 'word'])
  })

  test('are weighted by rarity; stop words count only if there are no others', () => {
    const weight = (query: string) => parseTerms(query, many).map((term) => Number(term.weight.toFixed(1)))
    expect(weight('good coffee zyzzyva')).toEqual([0.3, 0.5, 1])
    expect(weight('what is the coffee')).toEqual([0, 0, 0, 0.5])
    expect(weight('to be or not to be').every((value) => value > 0)).toBe(true)
  })

  test('are limited in number, however long the query', () => {
    expect(texts(Array.from({ length: 200 }, (_, index) => `w${index}`).join(' '))).toHaveLength(16)
  })

  test('become index queries with everything quoted', () => {
    expect(buildTextQueries(parseTerms("o'neil \\& x:*", none))).toEqual(["'o''neil' & 'x'", "'o''neil'", "'x'"])
    expect(buildTextQueries(parseTerms('good morning zyzzyv', many))).toEqual([
      "'good' & 'morning' & 'zyzzyv':*",
      "'zyzzyv':*",
    ])
    expect(buildTextQueries([])).toEqual([])
  })

  test('exclude invisible characters', () => {
    expect(cleanQuery(' \t\u0001\u200b\ue000 ')).toBe('')
    expect(cleanQuery('a\u0000b\u202ec')).toBe('a b c')
  })
})

describe('the word score of a text', () => {
  const words = (query: string, text: string, by?: string) =>
    scoreWords({ text: normalizeText(text), by }, parseTerms(query, many), query)

  test('is 0 without a match and high if a short query matches completely', () => {
    expect(words('zyzzyva', 'a palm weevil')).toBe(0)
    expect(words('zyzzyva', 'The Zyzzyva is a weevil')).toBeGreaterThan(0.9)
    expect(words('zyzzyva', 'zyzzyvas')).toBeGreaterThan(0.9)
    expect(words('zyzzyva weevil', 'prezyzzyva of weevils')).toBeLessThan(0.5)
  })

  test('is low for a sentence of ordinary words, higher for an exact phrase or an identifier', () => {
    const sentence = 'where can one buy coffee in the morning'
    expect(words(sentence, 'this morning I could buy no coffee where I live')).toBeLessThan(0.31)
    expect(words(sentence, `I asked ${sentence}.`)).toBeGreaterThan(0.5)
    expect(words('what is new in release v7.1.9 of the editor', 'v7.1.9 of our editor was released')).toBeGreaterThan(
      0.2,
    )
  })

  test('is half for a #tag or @name without its sign, and full for the author with that name', () => {
    expect(words('#coffee', 'coffee')).toBeLessThan(words('#coffee', 'my #coffee') / 2)
    expect(words('@alice', 'hello', 'alice')).toBe(words('@alice', 'hello @alice', 'bob'))
    expect(words('@alice', 'hello @alicebob', 'bob')).toBe(0)
  })

  test('is higher if the word is rare among very many texts', () => {
    const query = 'does anybody here remember zyzzyva from school'
    const terms = parseTerms(query, many)
    const matches = ['zyzzyva', 'school'].map((text) => matchWords({ text }, terms, query))
    const score = (total: number) => scoreWords({ text: 'zyzzyva' }, trustRareTerms(terms, matches, total), query)
    expect(score(1_000_000)).toBeGreaterThan(2 * score(1_000))
  })
})

describe('the ranking by meaning and words', () => {
  const model = { noise: 0.1, spread: 0.05 }
  const order = (...findings: [string, number | null, number][]) =>
    fuse(
      model,
      findings.map(([id, similarity, words]) => ({ id, similarity, words })),
    )

  test('puts matches by both before matches by either, and leaves out the rest', () => {
    const ranked = order(
      ['noise', 0.15, 0],
      ['near', 0.6, 0],
      ['word', 0.1, 0.6],
      ['both', 0.6, 0.6],
      ['new', null, 0.5],
    )
    expect(ranked.map(({ id, matched }) => [id, matched])).toEqual([
      ['both', 'both'],
      ['word', 'words'],
      ['near', 'meaning'],
      ['new', 'words'],
    ])
  })

  test('scores from 0 to 1, with the newer first among equals', () => {
    expect(order(['a', 1, 0.95], ['b', 1, 0.95], ['c', -1, 0.001])).toEqual([
      { id: 'b', score: 1, matched: 'both' },
      { id: 'a', score: 1, matched: 'both' },
      { id: 'c', score: 0.001, matched: 'words' },
    ])
  })
})
