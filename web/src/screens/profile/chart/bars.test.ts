import type { Candle } from '@rookery/sdk'
import { describe, expect, test } from 'vitest'
import { barsOf } from './bars.js'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
const candle = (minute: number, open: string, close: string): Candle => ({
  startAt: at(minute).toISOString(),
  openBNB: open,
  closeBNB: close,
  highBNB: close,
  lowBNB: open,
  volumeBNB: '0.5',
  trades: 1,
})

describe('barsOf', () => {
  test('draws level bars up to now where nothing was traded', () => {
    const bars = barsOf([candle(0, '0', '1'), candle(3, '1', '4')], '1m', at(5))
    expect(bars.map(({ open, close, volume }) => [open, close, volume])).toEqual([
      [0, 1, 0.5],
      [1, 1, 0],
      [1, 1, 0],
      [1, 4, 0.5],
      [4, 4, 0],
    ])
    expect(bars.map(({ time }) => time - (bars[0]?.time ?? 0))).toEqual([0, 60, 120, 180, 240])
  })

  test('skips a quiet time that would take too many bars', () => {
    const bars = barsOf([candle(0, '0', '1'), candle(5000, '1', '4')], '1m', at(5001))
    expect(bars).toHaveLength(2)
  })

  test('has nothing to draw before the first trade', () => {
    expect(barsOf([], '1h', at(0))).toEqual([])
  })
})
