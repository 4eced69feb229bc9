import { describe, expect, test } from 'vitest'
import { wordsOf } from './acts.js'
import { cast } from './cast.js'
import { firstActs } from './script.js'
import { coastAndLand } from './writings/coast-and-land.js'
import { craftAndTable } from './writings/craft-and-table.js'
import { machinesAndProof } from './writings/machines-and-proof.js'
import { moneyAndLaw } from './writings/money-and-law.js'
import { reports } from './writings/reports.js'

const LONG = 4000
const everyone = { seed: 1, members: cast.length, pastMinutes: 0 }

describe('the script', () => {
  test('says the same for the same seed, and something else for another', () => {
    const words = (seed: number) => firstActs({ ...everyone, seed }, LONG).flatMap((act) => wordsOf(act) ?? [])
    expect(words(7)).toEqual(words(7))
    expect(words(8)).not.toEqual(words(7))
  })

  test('names only acts that came before and made a tweet, and only members that have joined', () => {
    const joined = new Set<string>()
    const tweets = new Set<number>()
    for (const act of firstActs(everyone, LONG)) {
      if (act.kind === 'join') joined.add(act.who)
      expect(joined).toContain(act.who)
      if (act.kind === 'reply') expect(tweets).toContain(act.to)
      if (act.kind === 'like' || act.kind === 'repost') expect(tweets).toContain(act.of)
      if (wordsOf(act) !== undefined) tweets.add(act.number)
    }
    expect(joined.size).toBe(cast.length)
  })

  test('sells only shares that are held, and likes nothing twice', () => {
    const held = new Map<string, number>()
    const likes = new Set<string>()
    for (const act of firstActs(everyone, LONG)) {
      if (act.kind === 'like') {
        expect(likes).not.toContain(`${act.who} ${act.of}`)
        likes.add(`${act.who} ${act.of}`)
      }
      if (act.kind !== 'buy' && act.kind !== 'sell') continue
      const key = `${act.who} ${act.whom}`
      held.set(key, (held.get(key) ?? 0) + (act.kind === 'buy' ? act.amount : -act.amount))
      expect(held.get(key)).toBeGreaterThanOrEqual(0)
    }
  })

  test('gives every member something to say for ever', () => {
    const late = firstActs(everyone, LONG).slice(LONG / 2)
    const speakers = new Set(late.filter((act) => wordsOf(act) !== undefined).map(({ who }) => who))
    expect(speakers.size).toBe(cast.length)
    expect(Object.keys(reports).sort()).toEqual(cast.map(({ username }) => username).sort())
  })
})

describe('the writings', () => {
  const threads = [...coastAndLand, ...craftAndTable, ...machinesAndProof, ...moneyAndLaw]
  const texts = threads.flatMap(({ text, answers }) => [text, ...answers.map(([, answer]) => answer)])

  test('are by members, fit into a tweet and are said once', () => {
    const names = new Set(cast.map(({ username }) => username))
    for (const { by, answers } of threads)
      for (const who of [by, ...answers.map(([who]) => who)]) expect(names).toContain(who)
    expect(texts.filter((text) => [...text].length > 2000)).toEqual([])
    expect(new Set(texts).size).toBe(texts.length)
    expect(texts.length).toBeGreaterThan(200)
  })
})
