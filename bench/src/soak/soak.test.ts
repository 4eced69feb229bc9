import { describe, expect, test } from 'vitest'
import { seriesChart } from './chart.js'
import { trendOf } from './flat.js'
import type { Period } from './run.js'
import { readFigures } from './sample.js'
import { seriesOf } from './series.js'

const tolerance = { part: 0.1, atLeast: 1 }
const minutes = (value: (minute: number) => number) =>
  Array.from({ length: 90 }, (_, index) => [index * 20, value(index / 3)] as const)

describe('the verdict on a figure', () => {
  test('is flat for a figure that only rises while caches fill, and for one that saws', () => {
    expect(
      trendOf(
        minutes((minute) => (minute < 8 ? minute * 10 : 80)),
        tolerance,
      ).isFlat,
    ).toBe(true)
    expect(
      trendOf(
        minutes((minute) => 100 + 30 * (minute % 1)),
        tolerance,
      ).isFlat,
    ).toBe(true)
    expect(
      trendOf(
        minutes((minute) => (minute === 29 ? 9_000 : 100)),
        tolerance,
      ).isFlat,
    ).toBe(true)
    expect(
      trendOf(
        minutes((minute) => 200 - minute),
        tolerance,
      ).isFlat,
    ).toBe(true)
  })

  test('is not flat for a figure that keeps growing, however noisy', () => {
    const leak = trendOf(
      minutes((minute) => 100 + minute + 20 * ((minute * 7) % 1)),
      tolerance,
    )
    expect(leak.isFlat).toBe(false)
    expect(leak.growth).toBeGreaterThan(15)
  })
})

test('figures are read from the page of metrics by name and labels', () => {
  const page = '# HELP a b\na 1.5\nnodejs_active_handles{type="Socket"} 3\n'
  expect([...readFigures(page)]).toEqual([
    ['a', 1.5],
    ['nodejs_active_handles{type="Socket"}', 3],
  ])
})

test('the chart has a line for every series and no script', () => {
  const latencyMs = { read: 1, write: 2, search: Number.NaN, quote: 3, upload: 4, login: 5, trade: 6 }
  const sample = { residentMb: 300, heapMb: 90, externalMb: 9, files: 500, resources: 40, sockets: 20, loopDelayMs: 12 }
  const periods: Period[] = [1, 2, 3].map((n) => ({ seconds: n * 10, ...sample, waitingJobs: n, latencyMs }))
  const all = seriesOf(periods)
  const svg = seriesChart('three samples', all)
  expect(svg.match(/<g /g)).toHaveLength(all.length)
  for (const { name } of all) expect(svg).toContain(name)
  expect(svg).not.toMatch(/<script|NaN/)
})
