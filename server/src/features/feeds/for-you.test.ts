import { expect, test } from 'vitest'
import { keepRankings } from './for-you.js'

test('rankings are kept by their number of tweets: many short ones or a few long ones', () => {
  const candidates = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ id: `${n}`, reason: 'trending' as const }))
  const kept = keepRankings(1_000)
  for (let viewer = 0; viewer < 2_000; viewer++)
    kept.set(`${viewer}`, { asOf: 0, state: null, candidates: candidates(9) })
  expect(kept.size).toBe(100)
  for (let viewer = 0; viewer < 50; viewer++)
    kept.set(`${viewer}`, { asOf: 0, state: null, candidates: candidates(249) })
  expect(kept.size).toBe(4)
})
