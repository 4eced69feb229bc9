import { describe, expect, test } from 'vitest'
import { type NumberedAct, wordsOf } from '../acts.js'
import { cast } from '../cast.js'
import { firstActs, pastActs } from '../script.js'
import { isTrader, traders } from '../traders.js'
import { Purses } from './purses.js'

const DAY = 24 * 60
const fiveWeeks = { seed: 1, members: cast.length, pastMinutes: 35 * DAY + 700 }
const past = pastActs(fiveWeeks)
const minuteOf = ({ minute }: NumberedAct) => minute ?? Number.NaN
const isTrade = ({ kind }: NumberedAct) => kind === 'buy' || kind === 'sell'
const lastSeen = (who: string) =>
  Math.max(...past.filter((act) => act.who === who && act.kind !== 'freeze').map(minuteOf))

describe('the past', () => {
  test('is the same for the same seed, and goes on into today', () => {
    expect(pastActs(fiveWeeks)).toEqual(past)
    expect(pastActs({ ...fiveWeeks, seed: 2 })).not.toEqual(past)
    const today = firstActs(fiveWeeks, past.length + 200).slice(past.length)
    expect(today.every(({ minute }) => minute === undefined)).toBe(true)
    const gone = ['zugzwang', 'kerning']
    expect(today.filter(({ who }) => gone.includes(who))).toEqual([])
  })

  test('fills its days, in order, and ends before today', () => {
    const minutes = past.map(minuteOf)
    expect(minutes).toEqual(minutes.toSorted((a, b) => a - b))
    expect(new Set(minutes.map((minute) => Math.floor(minute / DAY))).size).toBe(36)
    expect(minutes.at(-1)).toBeLessThan(fiveWeeks.pastMinutes)
    expect(past.filter((act) => wordsOf(act) !== undefined).length).toBeGreaterThanOrEqual(500)
    expect(past.filter(isTrade).length).toBeGreaterThan(400)
    expect(past.some((act) => act.kind === 'post' && act.forHolders)).toBe(true)
    for (const kind of ['transfer', 'collect', 'freeze', 'publish', 'revise', 'repost', 'follow'])
      expect(past.map((act) => act.kind)).toContain(kind)
  })

  test('has days and nights, somebody who is gone and many who were there today', () => {
    const hours = past.filter((act) => act.kind === 'post').map((act) => Math.floor(minuteOf(act) / 60) % 24)
    const posts = (from: number, to: number) => hours.filter((hour) => hour >= from && hour < to).length
    expect(posts(9, 21)).toBeGreaterThan(3 * posts(0, 6))
    const daysAgo = (who: string) => (fiveWeeks.pastMinutes - lastSeen(who)) / DAY
    expect(daysAgo('zugzwang')).toBeGreaterThanOrEqual(9)
    expect(daysAgo('zugzwang')).toBeLessThan(12)
    expect(cast.filter(({ username }) => daysAgo(username) < 1.5).length).toBeGreaterThan(15)
  })

  test('has prices that rise, crash and bleed', () => {
    const supplies = (whom: string) => {
      let supply = 0
      return past.flatMap((act) => {
        if (!(act.kind === 'buy' || act.kind === 'sell') || act.whom !== whom) return []
        supply += act.kind === 'buy' ? act.amount : -act.amount
        return [supply]
      })
    }
    const fall = (whom: string) => (supplies(whom).at(-1) ?? 0) / Math.max(...supplies(whom))
    expect(fall('tidewatch')).toBeGreaterThan(0.85)
    expect(supplies('tidewatch').at(-1)).toBeGreaterThan(40)
    expect(fall('copperline')).toBeLessThan(0.35)
    expect(fall('fermata')).toBeLessThan(0.5)
  })

  test('names in a moment only what was done before it, so that its acts can be performed together', () => {
    const there = new Map<string, number>()
    const tweets = new Map<number, number>()
    for (const act of past) {
      const minute = minuteOf(act)
      if (act.kind === 'join' || act.kind === 'fund') there.set(act.who, Math.min(minute, there.get(act.who) ?? minute))
      else expect(there.get(act.who)).toBeLessThan(minute)
      if (act.kind === 'reply') expect(tweets.get(act.to)).toBeLessThan(minute)
      if (act.kind === 'like' || act.kind === 'repost') expect(tweets.get(act.of)).toBeLessThan(minute)
      if (act.kind === 'follow') expect(there.get(act.whom)).toBeLessThan(minute)
      if (wordsOf(act) !== undefined) tweets.set(act.number, minute)
    }
    expect([...there.keys()].filter(isTrader).sort()).toEqual([...traders])
  })

  test('trades what is there: shares that are held, with money, each wallet and each agent once in a moment', () => {
    const held = new Map<string, number>()
    const supply = new Map<string, number>()
    const busy = new Set<string>()
    const purses = new Purses()
    const move = (who: string, whom: string, amount: number) => {
      held.set(`${who} ${whom}`, (held.get(`${who} ${whom}`) ?? 0) + amount)
      expect(held.get(`${who} ${whom}`)).toBeGreaterThanOrEqual(0)
    }
    for (const act of past) {
      if (act.kind === 'join' || act.kind === 'fund') purses.fill(act.who)
      if (act.kind === 'transfer') {
        move(act.who, act.whom, -act.amount)
        move(act.to, act.whom, act.amount)
      }
      if (act.kind !== 'buy' && act.kind !== 'sell') continue
      const before = supply.get(act.whom) ?? 0
      if (act.kind === 'buy') expect(purses.canPay(act, before)).toBe(true)
      purses.settle(act, before)
      const amount = act.kind === 'buy' ? act.amount : -act.amount
      move(act.who, act.whom, amount)
      supply.set(act.whom, before + amount)
      for (const name of new Set([act.who, act.whom])) {
        expect(busy).not.toContain(`${act.minute} ${name}`)
        busy.add(`${act.minute} ${name}`)
      }
    }
  })
})
