import { expect, test } from 'vitest'
import { arcOf, slicesOf } from './slices.js'

const holders = (...amounts: number[]) => amounts.map((amount, n) => ({ address: `0x${n}` as const, amount }))

test('the ring has the largest holders and the rest, and closes', () => {
  const slices = slicesOf(holders(40, 20, 10, 8, 6, 4, 3), 100)
  expect(slices.map(({ shares }) => shares)).toEqual([40, 20, 10, 8, 6, 4, 12])
  expect(slices.at(-1)).toMatchObject({ address: undefined, to: 1 })
  expect(slices[1]).toMatchObject({ from: 0.4, to: 0.6000000000000001 })
})

test('without others there is no rest', () => {
  expect(slicesOf(holders(3), 3)).toEqual([{ address: '0x0', shares: 3, from: 0, to: 1 }])
  expect(slicesOf([], 0)).toEqual([])
})

test('a whole ring is drawn too', () => {
  const path = arcOf({ from: 0, to: 1 }, 10, 5)
  expect(path).toMatch(/^M0\.00 -10\.00A10 10 0 1 1 -0\.01 -10\.00L/)
})
