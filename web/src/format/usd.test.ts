import { describe, expect, test } from 'vitest'
import { usdOf } from './usd.js'

describe('usdOf', () => {
  test.each([
    ['1', 600, '$600.00'],
    ['2.5', 612.34, '$1,530.85'],
    ['0.0000625', 600, '$0.03'],
    ['0.00001', 600, '< $0.01'],
    ['0', 600, '$0'],
    ['0.000000000000000001', 600, '< $0.01'],
    ['-0.01', 600, '−$6.00'],
    ['100000000', 600.5, '$60,050,000,000.00'],
  ])('%s BNB at %s is %s', (bnb, rate, usd) => {
    expect(usdOf(bnb, rate)).toBe(usd)
  })
})
