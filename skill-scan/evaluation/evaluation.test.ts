import { describe, expect, it } from 'vitest'
import { PARTS, readCorpus } from './corpus.js'
import { judge, ratesOf } from './measure.js'

const corpus = await readCorpus()
const judged = await judge(corpus)
const ratesIn = (part: (typeof PARTS)[number]) => ratesOf(judged.filter((one) => one.part === part))

describe('the corpus of skills', () => {
  it('has bad and good documents in every part, under names of their own', () => {
    for (const part of PARTS) {
      const { bad, good } = ratesIn(part)
      expect(Math.min(bad, good), part).toBeGreaterThanOrEqual(24)
    }
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length)
    expect(corpus.filter(({ document, kind }) => document.length < 40 || kind === '')).toEqual([])
  })
})

describe('the scan of skills', () => {
  it.each(['first', 'second', 'third', 'fourth'] as const)(
    'keeps finding what rules were made from: the %s part',
    (part) => {
      const { recallBlocked, recallFlagged, falseBlocked, falseFlagged } = ratesIn(part)
      expect(recallBlocked).toBeGreaterThanOrEqual(0.95)
      expect(recallFlagged).toBeGreaterThanOrEqual(0.95)
      expect(falseBlocked).toBe(0)
      expect(falseFlagged).toBeLessThanOrEqual(0.05)
    },
  )

  it('does not get worse on what no rule was made from', () => {
    const { recallBlocked, recallFlagged, falseBlocked, falseFlagged } = ratesIn('held-out')
    expect(recallBlocked).toBeGreaterThanOrEqual(0.85)
    expect(recallFlagged).toBeGreaterThanOrEqual(0.9)
    expect(falseBlocked).toBeLessThanOrEqual(0.05)
    expect(falseFlagged).toBeLessThanOrEqual(0.1)
  })
})
