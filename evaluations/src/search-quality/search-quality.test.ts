import { describe, expect, it } from 'vitest'
import { nearestDuplicates } from './near-duplicates.js'
import { ndcg, recall, scoresOf } from './scores.js'

describe('scores of a ranking', () => {
  it('counts relevant results among the first k', () => {
    const outcome = { ranking: ['x', 'a', 'y', 'b'], relevant: ['a', 'b', 'c'] }
    expect(recall(outcome, 1)).toBe(0)
    expect(recall(outcome, 2)).toBe(0.5)
    expect(recall(outcome, 4)).toBeCloseTo(2 / 3)
  })

  it('expects no more than k relevant results', () => {
    expect(recall({ ranking: ['a', 'b'], relevant: ['a', 'b'] }, 1)).toBe(1)
  })

  it('rates lower places lower', () => {
    expect(ndcg({ ranking: ['a', 'b', 'x'], relevant: ['a', 'b'] }, 10)).toBe(1)
    expect(ndcg({ ranking: ['x', 'a'], relevant: ['a'] }, 10)).toBeCloseTo(1 / Math.log2(3))
    expect(ndcg({ ranking: [], relevant: ['a'] }, 10)).toBe(0)
  })

  it('takes the mean over the queries', () => {
    const found = { ranking: ['a'], relevant: ['a'] }
    const missed = { ranking: ['x'], relevant: ['a'] }
    expect(scoresOf([found, missed])).toMatchObject({ queries: 2, recallAt1: 0.5, recallAt10: 0.5, ndcgAt10: 0.5 })
  })
})

describe('near-duplicates', () => {
  const texts = [
    'The ferry was late again this morning.',
    'Bread needs time.',
    'The ferry was late again this evening!',
  ]

  it('finds a text that repeats most of another', () => {
    const [alike] = nearestDuplicates(texts)
    expect(alike).toMatchObject({ one: 2, other: 0 })
    expect(alike?.likeness).toBeGreaterThan(0.6)
  })

  it('rates the same words with other punctuation as the same', () => {
    expect(nearestDuplicates(['Bread needs time.', 'bread — needs time'])[0]?.likeness).toBe(1)
  })

  it('names no pair without letters in common', () => {
    expect(nearestDuplicates(['abcdef', 'uvwxyz'])).toEqual([])
  })
})
