import { expect, test } from 'vitest'
import { barHeights, HEIGHT, lastDates } from './day-bars.js'

test('the highest bar fills the drawing, nothing has no bar, and little can still be seen', () => {
  expect(barHeights([0, 1, 1_000, 500])).toEqual([0, 2, HEIGHT, HEIGHT / 2])
  expect(barHeights([0, 0])).toEqual([0, 0])
})

test('days without a count have their place', () => {
  expect(lastDates('2026-03-02', 4)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01', '2026-03-02'])
})
