import { createLocalEmbedder } from '@rookery/server/search'
import { afterAll, describe, expect, it } from 'vitest'
import type { Embed } from '../src/likeness.js'
import { PARTS, type Part, readCorpus, readSentences, UNREAD } from './corpus.js'
import { judge, ratesOf } from './measure.js'

const embedder = createLocalEmbedder()
afterAll(() => embedder.close())
const embed: Embed = async (texts) => embedder.readLayers?.(texts)
const corpus = await readCorpus()
const unread = corpus.filter(({ part }) => UNREAD.includes(part))
const LONG = 300_000

describe('the corpus of skills', () => {
  it('has bad and good documents in every part, under names of their own', () => {
    for (const part of PARTS) {
      const of = (isBad: boolean) => corpus.filter((one) => one.part === part && one.isBad === isBad).length
      expect(Math.min(of(true), of(false)), part).toBeGreaterThanOrEqual(19)
    }
    expect(new Set(corpus.map(({ part, name }) => `${part} ${name}`)).size).toBe(corpus.length)
    expect(corpus.filter(({ document, kind }) => document.length < 40 || kind === '')).toEqual([])
  })

  it('says nothing twice in what is learnt and what is held out', async () => {
    const learnt = new Set([
      ...corpus.filter(({ part }) => !UNREAD.includes(part)).map(({ document }) => document),
      ...(await readSentences()).map(({ text }) => text),
    ])
    expect(unread.filter(({ document }) => learnt.has(document))).toEqual([])
  })
})

describe('the scan of skills', () => {
  it(
    'finds as much as it did of what nobody has read, and labels no more that is harmless',
    async () => {
      // Some documents below what was measured: the model counts a little differently on each kind of processor.
      const judged = await judge(unread, embed)
      const of = (wanted: Part) => ratesOf(judged.filter(({ part }) => part === wanted))
      expect(of('unseen').recallLabelled).toBeGreaterThanOrEqual(0.6)
      expect(of('unseen').falseLabelled).toBeLessThanOrEqual(0.15)
      expect(of('unseen-2').recallLabelled).toBeGreaterThanOrEqual(0.55)
      expect(of('unseen-2').falseLabelled).toBeLessThanOrEqual(0.22)
      expect(of('blind-held-out').recallLabelled).toBeGreaterThanOrEqual(0.7)
      expect(of('blind-held-out').falseLabelled).toBeLessThanOrEqual(0.2)
      expect(of('held-out').recallLabelled).toBeGreaterThanOrEqual(0.9)
      expect(ratesOf(judged).falseBlocked).toBeLessThanOrEqual(0.04)
    },
    LONG,
  )

  it('blocks what rules were made from, also without vectors', async () => {
    const own = corpus.filter(({ part }) => ['first', 'second', 'third', 'fourth'].includes(part))
    const { recallBlocked, recallLabelled, falseBlocked, falseLabelled } = ratesOf(await judge(own))
    expect(recallBlocked).toBeGreaterThanOrEqual(0.9)
    expect(recallLabelled).toBeGreaterThanOrEqual(0.95)
    expect(falseBlocked).toBe(0)
    expect(falseLabelled).toBeLessThanOrEqual(0.1)
  })
})
