import { describe, expect, test } from 'vitest'
import { heatDaysOf, monthsOf } from './heat-map.js'

const day = (date: string, posts: number, trades = 0) => ({ date, posts, replies: 0, reposts: 0, trades })
// A Wednesday.
const TODAY = '2026-03-04'

describe('heatDaysOf', () => {
  test('ends today, and begins on a Monday', () => {
    const days = heatDaysOf([], TODAY, 26)
    expect(days).toHaveLength(25 * 7 + 3)
    expect(days[0]).toMatchObject({ date: '2025-09-08', week: 0, weekday: 0, total: 0, level: 0 })
    expect(days.at(-1)).toMatchObject({ date: TODAY, week: 25, weekday: 2 })
    expect(heatDaysOf([], '2026-03-08', 2).at(-1)).toMatchObject({ week: 1, weekday: 6 })
  })

  test('shades each day by what was done on it, and one very busy day does not hide the others', () => {
    const days = heatDaysOf([day(TODAY, 90, 10), day('2026-03-03', 10), day('2026-03-02', 1)], TODAY, 4)
    expect(days.slice(-3).map(({ total, level }) => [total, level])).toEqual([
      [1, 1],
      [10, 2],
      [100, 4],
    ])
  })

  test('names the months above the weeks in which they begin', () => {
    expect(monthsOf(heatDaysOf([], TODAY, 10))).toEqual([
      { week: 4, name: 'Feb' },
      { week: 8, name: 'Mar' },
    ])
  })
})
