import { describe, expect, test } from 'vitest'
import { batchesOf } from './model-batches.js'

describe('batches', () => {
  test('have texts of similar length, each exactly once', () => {
    const lengths = Array.from({ length: 70 }, (_, n) => ((n * 37) % 70) + 1)
    const batches = batchesOf(lengths, { texts: 4, length: 1_000 })
    expect(batches.flat().map((place) => lengths[place])).toEqual(Array.from({ length: 70 }, (_, n) => n + 1))
    expect(batches).toHaveLength(18)
  })

  test('end where padding to the longest would exceed the limit', () => {
    expect(batchesOf([10, 30, 20, 300, 40], { texts: 4, length: 100 })).toEqual([[0, 2, 1], [4], [3]])
  })
})
