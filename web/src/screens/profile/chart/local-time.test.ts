import { describe, expect, test } from 'vitest'
import { chartTimeOf, formatStart, localBars } from './local-time.js'

const bar = (time: number, price: number) => ({ time, open: price, high: price, low: price, close: price, volume: 1 })
const HOUR = 3600

describe('times on the chart', () => {
  test('are those of the reader’s clock, and dates for days and weeks', () => {
    const kolkata = () => 5.5 * HOUR
    expect(chartTimeOf(0, '5m', kolkata)).toBe(19_800)
    expect([chartTimeOf(0, '1d', kolkata), chartTimeOf(0, '1w', kolkata)]).toEqual([0, 0])
    expect(formatStart(Date.UTC(2026, 2, 9) / 1000, '1w')).toBe('9 Mar 2026')
    expect(formatStart(Date.UTC(2026, 2, 9) / 1000, '1h')).toMatch(/^(8|9|10) Mar, \d\d:\d\d$/)
  })

  test('rise even where an hour comes twice', () => {
    const ends = (time: number) => (time < 2 * HOUR ? 2 * HOUR : HOUR)
    const bars = localBars([bar(0, 1), bar(HOUR, 2), bar(2 * HOUR, 5), bar(3 * HOUR, 4)], '1h', ends)
    expect(bars.map(({ time }) => time / HOUR)).toEqual([2, 3, 4])
    expect(bars[1]).toMatchObject({ open: 2, close: 5, high: 5, low: 2, volume: 2 })
  })
})
