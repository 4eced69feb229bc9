import { describe, expect, test } from 'vitest'
import { chartShape } from './chart-shape.js'

const point = (seconds: number, valueBNB: string, investedBNB: string) => ({
  at: new Date(seconds * 1000).toISOString(),
  valueBNB,
  investedBNB,
})

describe('chartShape', () => {
  test('draws from the first moment to the last, the highest amount on top', () => {
    const shape = chartShape([point(0, '0.1', '1'), point(30, '0.5', '1'), point(100, '2', '1')])
    expect(shape.xs).toEqual([0, 240, 800])
    expect(shape.line).toBe('M0 224.4L240 178L800 4')
    expect(shape.area).toBe('M0 224.4L240 178L800 4V240H0Z')
    expect(shape.paid).toBe('M0 120L240 120L800 120')
    expect([Number(shape.top), Number(shape.bottom), Number(shape.least), Number(shape.most)]).toEqual([2, 0, 0.1, 2])
  })

  test('does not begin at zero where amounts are close together', () => {
    const { bottom, top } = chartShape([point(0, '0.9', '1'), point(10, '1', '1')])
    expect([Number(bottom), Number(top)]).toEqual([0.875, 1])
  })

  test('draws a single amount in the middle', () => {
    expect(chartShape([point(0, '0', '0'), point(0, '0', '0')]).line).toBe('M0 120L0 120')
  })
})
