import { describe, expect, test } from 'vitest'
import { formatAligned, formatAmount, placesFor } from './bnb.js'

describe('formatAmount', () => {
  test.each([
    ['0', '0'],
    ['0.0', '0'],
    ['1', '1'],
    ['1234567.5', '1,234,567.5'],
    ['1.23456789', '1.2345'],
    ['0.0062500', '0.00625'],
    ['0.001234567', '0.001234'],
    ['0.000000012345', '0.00000001'],
    ['0.000000001', '<0.00000001'],
    ['0.000000000000000001', '<0.00000001'],
    ['-0.5', '-0.5'],
    ['115792089237316195423570985008687907853', '115,792,089,237,316,195,423,570,985,008,687,907,853'],
  ])('shows %s as %s', (given, shown) => expect(formatAmount(given)).toBe(shown))

  test('never shows more than there is', () => expect(formatAmount('0.99999999')).toBe('0.9999'))

  test('returns other text unchanged', () => expect(formatAmount('n/a')).toBe('n/a'))
})

describe('a column of amounts', () => {
  test.each([
    [['0.0180625', '0.0000625', '0'], 7, ['0.0180625', '0.0000625', '0.0000000']],
    [['1234.5', '0.25'], 2, ['1,234.50', '0.25']],
    [['3', '12'], 0, ['3', '12']],
    [['0.000000000000000001', '2'], 0, ['0', '2']],
    [['0.33234567', '12.1'], 3, ['0.332', '12.100']],
    [[], 0, []],
  ])('of %j has %i decimal places', (amounts, places, shown) => {
    expect(placesFor(amounts)).toBe(places)
    expect(amounts.map((amount) => formatAligned(amount, places))).toEqual(shown)
  })
})
