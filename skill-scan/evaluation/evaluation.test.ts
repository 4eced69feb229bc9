import { describe, expect, it } from 'vitest'
import { WEIGHTS } from '../src/weights.js'
import { PARTS, readCorpus } from './corpus.js'
import { judge, ratesOf } from './measure.js'
import { trainOnCorpus } from './train.js'

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
      expect(recallBlocked).toBeGreaterThanOrEqual(0.9)
      expect(recallFlagged).toBeGreaterThanOrEqual(0.95)
      expect(falseBlocked).toBe(0)
      expect(falseFlagged).toBeLessThanOrEqual(0.2)
    },
  )

  it('does not get worse on what no rule was made from', () => {
    const { recallBlocked, recallFlagged, falseBlocked, falseFlagged } = ratesIn('held-out')
    expect(recallBlocked).toBeGreaterThanOrEqual(0.85)
    expect(recallFlagged).toBeGreaterThanOrEqual(0.95)
    expect(falseBlocked).toBeLessThanOrEqual(0.05)
    expect(falseFlagged).toBeLessThanOrEqual(0.15)
  })

  it('does not get worse on documents whose author had not seen the rules', () => {
    const { recallBlocked, recallFlagged, falseBlocked, falseFlagged } = ratesIn('blind-held-out')
    expect(recallBlocked).toBeGreaterThanOrEqual(0.45)
    expect(recallFlagged).toBeGreaterThanOrEqual(0.8)
    expect(falseBlocked).toBeLessThanOrEqual(0.03)
    expect(falseFlagged).toBeLessThanOrEqual(0.22)
  })

  it('has learnt nothing from the held-out parts', async () => {
    const { weights } = await trainOnCorpus()
    const missing = [...WEIGHTS].filter(([feature, weight]) => Math.abs((weights.get(feature) ?? 0) - weight) > 0.02)
    expect(missing).toEqual([])
  })
})
