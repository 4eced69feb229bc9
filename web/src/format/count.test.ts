import { describe, expect, test } from 'vitest'
import { countOf, formatCount, formatExactCount } from './count.js'

describe('formatCount', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [9999, '9,999'],
    [12_345, '12.3K'],
    [4_000_000, '4M'],
  ])('shows %i as %s', (count, shown) => expect(formatCount(count)).toBe(shown))
})

describe('formatExactCount', () => {
  test('keeps every digit', () => expect(formatExactCount(1_234_567)).toBe('1,234,567'))
})

describe('countOf', () => {
  test('uses the singular or plural noun', () => {
    expect(countOf(1, 'match', 'matches')).toBe('1 match')
    expect(countOf(0, 'match', 'matches')).toBe('0 matches')
  })
})
