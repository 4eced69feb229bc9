import { describe, expect, test } from 'vitest'
import { bnbToWei, weiToBnb } from './wei.js'

describe('weiToBnb', () => {
  test.each([
    [0n, '0'],
    [1n, '0.000000000000000001'],
    [62_500_000_000_000n, '0.0000625'],
    [10n ** 18n, '1'],
    [-15n * 10n ** 17n, '-1.5'],
    [123_456_789_012_345_678_901n, '123.456789012345678901'],
  ])('writes %s with every digit', (wei, text) => {
    expect(weiToBnb(wei)).toBe(text)
    expect(bnbToWei(text)).toBe(wei)
  })
})

describe('bnbToWei', () => {
  test('truncates fractions of a wei', () => {
    expect(bnbToWei('0.0000000000000000019')).toBe(1n)
  })
})
