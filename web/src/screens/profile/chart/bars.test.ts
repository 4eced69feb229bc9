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

  test('has the newest thousand steps at equal distances, and leaves out what is older', () => {
    const candles = [candle(0, '0', '1'), candle(1, '1', '2'), candle(4500, '2', '4'), candle(5000, '4', '3')]
    const bars = barsOf(candles, '1m', at(5001))
    expect(bars).toHaveLength(1000)
    const distances = bars.slice(1).map(({ time }, index) => time - (bars[index]?.time ?? 0))
    expect(new Set(distances)).toEqual(new Set([60]))
    expect(bars[0]).toMatchObject({ time: at(4001).getTime() / 1000, open: 2, close: 2, volume: 0 })
    expect(bars.filter(({ volume }) => volume > 0).map(({ time }) => time)).toEqual(
      [4500, 5000].map((minute) => at(minute).getTime() / 1000),
    )
    expect(bars.at(-1)?.close).toBe(3)
  })

  test('shows the last price where nothing was traded for long', () => {
    const bars = barsOf([candle(0, '0', '1'), candle(2, '1', '4')], '1m', at(5000))
    expect(bars).toHaveLength(1000)
    expect(new Set(bars.map(({ open, close }) => `${open} ${close}`))).toEqual(new Set(['4 4']))
  })

  test('has nothing to draw before the first trade', () => {
    expect(barsOf([], '1h', at(0))).toEqual([])
  })
})
