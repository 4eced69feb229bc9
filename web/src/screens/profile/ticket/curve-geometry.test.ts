import { priceOf } from '@rookery/sdk'
import { describe, expect, test } from 'vitest'
import { drawCurve, HEIGHT, roundTripOf, WIDTH } from './curve-geometry.js'

const points = (path: string) =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => ({ x: Number(x), y: Number(y) }))

/** The area of a closed path. */
function areaOf(path: string): number {
  const corners = points(path)
  return Math.abs(
    corners.reduce((sum, { x, y }, at) => {
      const next = corners[(at + 1) % corners.length] ?? { x: 0, y: 0 }
      return sum + (x * next.y - next.x * y) / 2
    }, 0),
  )
}

describe('drawCurve', () => {
  test('fills areas in the ratio of the money: nine parts come back, two are fees', () => {
    for (const [supply, amount] of [
      [3n, 2n],
      [40n, 5n],
      [900n, 300n],
    ] as const) {
      const picture = drawCurve({ supply, amount, side: 'buy' })
      expect(areaOf(picture?.fees ?? '') / areaOf(picture?.kept ?? '')).toBeCloseTo(2 / 9, 1)
    }
    const sale = drawCurve({ supply: 40n, amount: 5n, side: 'sell' })
    expect(areaOf(sale?.fees ?? '') / areaOf(sale?.kept ?? '')).toBeCloseTo(1 / 9, 1)
  })

  test('fills an area that grows as the money does', () => {
    const one = drawCurve({ supply: 5n, amount: 1n, side: 'buy' })
    const two = drawCurve({ supply: 5n, amount: 2n, side: 'buy' })
    expect([one?.from, one?.to, two?.to]).toEqual([0n, 14n, 15n])
    const scale = ((14 / 15) * 14 ** 2) / 15 ** 2
    const grows = areaOf(two?.kept ?? '') / areaOf(one?.kept ?? '')
    expect(grows / scale).toBeCloseTo(Number(priceOf(5n, 2n)) / Number(priceOf(5n, 1n)), 1)
  })

  test('stays in its box, climbs, and marks where the market is and where the trade takes it', () => {
    for (const side of ['buy', 'sell'] as const)
      for (const [supply, amount] of [
        [1n, 1n],
        [7n, 3n],
        [64n, 64n],
        [5000n, 1n],
        [5000n, 4000n],
      ] as const) {
        const picture = drawCurve({ supply, amount, side })
        if (!picture) throw new Error('there is a picture')
        const all = [picture.line, picture.kept, picture.fees].flatMap(points)
        for (const { x, y } of [...all, picture.now, picture.after]) {
          expect(x).toBeGreaterThanOrEqual(0)
          expect(x).toBeLessThanOrEqual(WIDTH)
          expect(y).toBeGreaterThanOrEqual(0)
          expect(y).toBeLessThanOrEqual(HEIGHT)
        }
        const heights = points(picture.line).map(({ y }) => y)
        expect(heights).toEqual(heights.toSorted((a, b) => b - a))
        expect(Math.sign(picture.after.x - picture.now.x)).toBe(side === 'buy' ? 1 : -1)
      }
  })

  test('draws the curve alone without an amount, and nothing that the contract would refuse', () => {
    expect(drawCurve({ supply: 5n, amount: 0n, side: 'buy' })).toMatchObject({ kept: '', fees: '' })
    expect(drawCurve({ supply: 5n, amount: 6n, side: 'sell' })).toBeUndefined()
    expect(drawCurve({ supply: 5n, amount: 999_999_999n, side: 'buy' })).toBeUndefined()
  })
})

describe('roundTripOf', () => {
  test('says what selling back at once returns, after both fees both ways', () => {
    const price = priceOf(3n, 2n)
    expect(roundTripOf({ supply: 3n, amount: 2n, side: 'buy' })).toEqual({
      wei: (price * 11n) / 10n,
      backWei: (price * 9n) / 10n,
      lostPercent: 18.2,
    })
  })

  test('says what buying again would cost after a sale', () => {
    const price = priceOf(3n, 2n)
    expect(roundTripOf({ supply: 5n, amount: 2n, side: 'sell' })).toMatchObject({
      wei: (price * 9n) / 10n,
      backWei: (price * 11n) / 10n,
    })
    expect(roundTripOf({ supply: 5n, amount: 6n, side: 'sell' })).toBeUndefined()
  })
})
