import { describe, expect, test } from 'vitest'
import { chooseInterval, chooseKind, priceRangeOf } from './choose.js'

const now = new Date('2026-06-01T12:00:00Z')
const ago = (minutes: number) => new Date(now.getTime() - minutes * 60_000).toISOString()
const HOUR = 60
const DAY = 24 * HOUR

describe('the interval', () => {
  test.each([
    [0, '1m'],
    [5 * HOUR, '1m'],
    [DAY, '5m'],
    [3 * DAY, '15m'],
    [12 * DAY, '1h'],
    [6 * 7 * DAY, '4h'],
    [200 * DAY, '1d'],
    [2 * 365 * DAY, '1w'],
    [20 * 365 * DAY, '1w'],
  ])('of a market that is %i minutes old is %s', (minutes, interval) => {
    expect(chooseInterval(ago(minutes), now)).toBe(interval)
  })

  test('never leaves more than a few hundred steps, nor fewer than a handful', () => {
    for (let minutes = 10; minutes < 5 * 365 * DAY; minutes *= 1.3) {
      const interval = chooseInterval(ago(minutes), now)
      const length = { '1m': 1, '5m': 5, '15m': 15, '1h': 60, '4h': 240, '1d': DAY, '1w': 7 * DAY }[interval]
      expect(minutes / length).toBeLessThanOrEqual(301)
      expect(minutes / length).toBeGreaterThanOrEqual(10)
    }
  })
})

test('a dozen intervals with trades make candles, fewer a line', () => {
  expect([1, 11, 12, 500].map(chooseKind)).toEqual(['line', 'line', 'candles', 'candles'])
})

describe('the range of prices', () => {
  const bar = (low: number, high: number) => ({ time: 0, open: low, high, low, close: high, volume: 0 })
  test('begins at zero for a young or level market', () => {
    expect(priceRangeOf([bar(0, 1), bar(1, 4)])).toEqual({ low: 0, high: 4 })
    expect(priceRangeOf([bar(3, 3)])).toEqual({ low: 0, high: 3 })
    expect(priceRangeOf([bar(0, 0)])).toEqual({ low: 0, high: 1 })
  })

  test('shows small moves of a grown market in full', () => {
    expect(priceRangeOf([bar(90, 95), bar(93, 110)])).toEqual({ low: 90, high: 110 })
  })
})
