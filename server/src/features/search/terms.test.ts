import { describe, expect, test } from 'vitest'
import { fuse } from './fuse.js'
import { cleanQuery, type Frequencies, readable, termsOf, textQueries, trustRare, wordsIn } from './terms.js'

const none: Frequencies = { sampled: 0, texts: new Map() }
const many: Frequencies = { sampled: 5_000, texts: new Map(Object.entries({ good: 400, morning: 300, coffee: 40 })) }
const texts = (query: string, frequencies = none) => termsOf(query, frequencies).map(({ text }) => text)

describe('the words of a query', () => {
  test('are told apart by spaces, without case and outer punctuation', () => {
    expect(texts('Hello, (World)! Hello…')).toEqual(['hello', 'world'])
    expect(texts('"v1.2.3" zxq-9000; don’t')).toEqual(['v1.2.3', 'zxq-9000', 'don’t'])
    expect(texts('!!! ... 🦉')).toEqual([])
  })

  test('are #tags and @names only where they look like one', () => {
    const kinds = (query: string) => termsOf(query, none).map(({ kind }) => kind)
    expect(kinds('#rust @alice #a-b @x plain')).toEqual(['tag', 'name', 'word', 'word', 'word'])
  })

  test('are weighed by how rarely they are written; empty ones count only among themselves', () => {
    const weight = (query: string) => termsOf(query, many).map((term) => Number(term.weight.toFixed(1)))
    expect(weight('good coffee zyzzyva')).toEqual([0.3, 0.5, 1])
    expect(weight('what is the coffee')).toEqual([0, 0, 0, 0.5])
    expect(weight('to be or not to be').every((it) => it > 0)).toBe(true)
  })

  test('are no more than a few, however long the query', () => {
    expect(texts(Array.from({ length: 200 }, (_, index) => `w${index}`).join(' '))).toHaveLength(16)
  })

  test('become queries of the index in which everything is quoted', () => {
    expect(textQueries(termsOf("o'neil \\& x:*", none))).toEqual(["'o''neil' & 'x'", "'o''neil'", "'x'"])
    expect(textQueries(termsOf('good morning zyzzyv', many))).toEqual(["'good' & 'morning' & 'zyzzyv':*", "'zyzzyv':*"])
    expect(textQueries([])).toEqual([])
  })

  test('of nothing that can be seen are nothing', () => {
    expect(cleanQuery(' \t\u0001\u200b\ue000 ')).toBe('')
    expect(cleanQuery('a\u0000b\u202ec')).toBe('a b c')
  })
})

describe('how far a text has the words of a query', () => {
  const words = (query: string, text: string, by?: string) =>
    wordsIn({ text: readable(text), by }, termsOf(query, many), query)

  test('is nothing without them and much with all of few', () => {
    expect(words('zyzzyva', 'a palm weevil')).toBe(0)
    expect(words('zyzzyva', 'The Zyzzyva is a weevil')).toBeGreaterThan(0.9)
    expect(words('zyzzyva', 'zyzzyvas')).toBeGreaterThan(0.9)
    expect(words('zyzzyva weevil', 'prezyzzyva of weevils')).toBeLessThan(0.5)
  })

  test('is little in a sentence of ordinary words, more for a phrase, and much for one written like a name', () => {
    const sentence = 'where can one buy coffee in the morning'
    expect(words(sentence, 'this morning I could buy no coffee where I live')).toBeLessThan(0.31)
    expect(words(sentence, `I asked ${sentence}.`)).toBeGreaterThan(0.5)
    expect(words('what is new in release v7.1.9 of the editor', 'v7.1.9 of our editor was released')).toBeGreaterThan(
      0.2,
    )
  })

  test('is half for a #tag or @name without its sign, and whole for the author of that name', () => {
    expect(words('#coffee', 'coffee')).toBeLessThan(words('#coffee', 'my #coffee') / 2)
    expect(words('@alice', 'hello', 'alice')).toBe(words('@alice', 'hello @alice', 'bob'))
    expect(words('@alice', 'hello @alicebob', 'bob')).toBe(0)
  })

  test('counts for more where hardly any of very many texts has the word', () => {
    const query = 'does anybody here remember zyzzyva from school'
    const terms = termsOf(query, many)
    const score = (total: number) => wordsIn({ text: 'zyzzyva' }, trustRare(terms, ['zyzzyva', 'school'], total), query)
    expect(score(1_000_000)).toBeGreaterThan(2 * score(1_000))
  })
})

describe('one order out of meaning and words', () => {
  const model = { noise: 0.1, spread: 0.05 }
  const order = (...findings: [string, number | null, number][]) =>
    fuse(
      model,
      findings.map(([id, likeness, words]) => ({ id, likeness, words })),
    )

  test('has what is found by both before what is found by either, and leaves out what is found by neither', () => {
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

  test('scores from 0 to 1, and the newer first among equals', () => {
    expect(order(['a', 1, 0.95], ['b', 1, 0.95], ['c', -1, 0.001])).toEqual([
      { id: 'b', score: 1, matched: 'both' },
      { id: 'a', score: 1, matched: 'both' },
      { id: 'c', score: 0.001, matched: 'words' },
    ])
  })
})
