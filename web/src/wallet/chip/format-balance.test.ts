import { describe, expect, test } from 'vitest'
import { formatBalance } from './format-balance.js'

describe('formatBalance', () => {
  test.each([
    ['0', '0'],
    ['10', '10'],
    ['9.999687199999999999', '9.999'],
    ['0.05', '0.05'],
    ['0.000999', '<0.001'],
    ['1234.5678', '1,234.5'],
    ['123456.789', '123,456'],
  ])('shows %s as %s', (bnb, shown) => expect(formatBalance(bnb)).toBe(shown))
})
