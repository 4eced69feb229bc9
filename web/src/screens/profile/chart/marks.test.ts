import type { Candle } from '@rookery/sdk'
import { describe, expect, test } from 'vitest'
import { barsOf } from './bars.js'
import { joinNear, type MarkedPost, marksOf, moveAfter } from './marks.js'

const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute))
const candle = (minute: number, openBNB: string, closeBNB: string): Candle => ({
  startAt: at(minute).toISOString(),
  openBNB,
  closeBNB,
  highBNB: closeBNB,
  lowBNB: openBNB,
  volumeBNB: '1',
  trades: 1,
})
const post = (id: string, minute: number, second = 0): MarkedPost => ({
  id,
  content: id,
  createdAt: new Date(at(minute).getTime() + second * 1000).toISOString(),
  visibility: 'public',
})
const candles = [candle(0, '0', '1'), candle(10, '1', '2'), candle(30, '2', '3'), candle(90, '3', '6')]

describe('marksOf', () => {
  test('puts each post on the bar of its time, oldest first', () => {
    const bars = barsOf(candles, '5m', at(100))
    const posts = [post('late', 92), post('early', 1), post('also early', 4, 59), post('between', 47)]
    const marks = marksOf(posts, bars, '5m')
    const start = at(0).getTime() / 1000
    expect(marks.map(({ time, posts }) => [(time - start) / 60, posts.map(({ id }) => id)])).toEqual([
      [0, ['early', 'also early']],
      [45, ['between']],
      [90, ['late']],
    ])
  })

  test('leaves out what was written before the market began', () => {
    const bars = barsOf(candles, '5m', at(100))
    expect(marksOf([post('before', -10)], bars, '5m')).toEqual([])
    expect(marksOf([post('any', 1)], [], '5m')).toEqual([])
  })
})

describe('joinNear', () => {
  test('joins marks that would overlap, and drops those that are not in the picture', () => {
    const marks = [0, 10, 30, 31].map((time) => ({ time, posts: [post(`at ${time}`, time)] }))
    const joined = joinNear(marks, (time) => (time === 0 ? null : time), 5)
    expect(joined.map(({ x, posts }) => [x, posts.length])).toEqual([
      [10, 1],
      [30, 2],
    ])
  })
})

describe('moveAfter', () => {
  test('compares the price before a post with that an hour later', () => {
    expect(moveAfter(candles, post('a', 9).createdAt, at(200))).toEqual({ percent: 200, isOver: true })
    expect(moveAfter(candles, post('the same minute', 10, 40).createdAt, at(200)).percent).toBe(200)
    expect(moveAfter(candles, post('b', 31).createdAt, at(200))).toEqual({ percent: 100, isOver: true })
    expect(moveAfter(candles, post('c', 100).createdAt, at(200))).toEqual({ percent: 0, isOver: true })
  })

  test('says that the hour still runs', () => {
    expect(moveAfter(candles, post('d', 80).createdAt, at(95))).toEqual({ percent: 100, isOver: false })
  })

  test('knows nothing where there was no price, or where the candles do not reach back', () => {
    expect(moveAfter(candles, post('e', -5).createdAt, at(200)).percent).toBeNull()
    expect(moveAfter([], post('f', 5).createdAt, at(200)).percent).toBeNull()
    const many = Array.from({ length: 1000 }, (_, minute) => candle(minute + 100, '1', '1'))
    expect(moveAfter(many, post('g', 5).createdAt, at(2000)).percent).toBeNull()
  })
})
