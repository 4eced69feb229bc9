import { createLocalEmbedder } from '@rookery/server/search'
import { afterAll, describe, expect, it } from 'vitest'
import type { Embed } from '../src/likeness.js'
import { PARTS, readCorpus, readSentences, UNREAD } from './corpus.js'
import { judge, ratesOf } from './measure.js'

const embedder = createLocalEmbedder()
afterAll(() => embedder.close())
const embed: Embed = (texts) => embedder.embed(texts, 'document')
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
  it('keeps finding what was learnt, and leaves what is harmless alone', { timeout: LONG }, async () => {
    const known = corpus.filter(({ part }) => !UNREAD.includes(part))
    const { recallLabelled, falseBlocked, falseLabelled } = ratesOf(await judge(known, embed))
    expect(recallLabelled).toBeGreaterThanOrEqual(0.97)
    expect(falseBlocked).toBeLessThanOrEqual(0.01)
    expect(falseLabelled).toBeLessThanOrEqual(0.05)
  })
})
