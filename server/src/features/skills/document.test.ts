import { describe, expect, test } from 'vitest'
import { composeDocument, readSource } from './document.js'

const withFrontMatter = (yaml: string) => `---\n${yaml}\n---\n\n# Text\n`
const refusal = (yaml: string) => {
  try {
    readSource(withFrontMatter(yaml))
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('front matter', () => {
  test('has up to 8,000 characters', () => {
    expect(readSource(withFrontMatter(`license: ${'x'.repeat(7_900)}`)).members).toHaveProperty('license')
    expect(refusal(`license: ${'x'.repeat(8_000)}`)).toBe(
      'content must begin with at most 8000 characters of front matter.',
    )
  })

  test.each([
    ['lists in lists', `metadata: ${'['.repeat(3_900)}${']'.repeat(3_900)}`],
    ['some lists in lists', `metadata: ${'['.repeat(100)}${']'.repeat(100)}`],
    ['maps in maps', `metadata: ${'{a: '.repeat(100)}1${'}'.repeat(100)}`],
    ['items of items', `${'- '.repeat(3_900)}a`],
    ['keys of keys', `${'? '.repeat(3_900)}a`],
    ['ever deeper lines', Array.from({ length: 100 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ])('with too many levels is refused: %s', (_, yaml) => {
    expect(refusal(yaml)).toBe('content must have front matter of a few levels.')
  })

  test('with a duplicate key is refused, at any level', () => {
    const invalid = 'content must begin with front matter that is valid YAML, or with none.'
    expect(refusal('license: MIT\nlicense: ISC')).toBe(invalid)
    expect(refusal('metadata:\n  a: 1\n  a: 2')).toBe(invalid)
    expect(refusal('a: [')).toBe(invalid)
  })

  test('with many keys and several levels is accepted', () => {
    const keys = Array.from({ length: 1_000 }, (_, index) => `k${index}:`).join('\n')
    expect(Object.keys(readSource(withFrontMatter(keys)).members)).toHaveLength(1_000)
    const { members, body } = readSource(withFrontMatter('metadata: {a: {b: {c: [1, [2]]}}}'))
    expect(members).toEqual({ metadata: { a: { b: { c: [1, [2]] } } } })
    expect(body).toBe('\n# Text\n')
  })

  test('does not grow much in the document', () => {
    const source = readSource(withFrontMatter(`metadata: {a: {a: {a: {a: {a: [${'x,'.repeat(3_900)}]}}}}}`))
    const heading = { id: '1', slug: 'a', name: 'A', description: '', versionNumber: '1.0.0' }
    expect(composeDocument(source, heading).length).toBeLessThan(100_000)
  })
})
