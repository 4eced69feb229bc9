import { describe, expect, test } from 'vitest'
import { createFilm } from './film.js'
import { createStoryboard, phrasesOf } from './storyboard.js'

describe('a storyboard', () => {
  test.each([
    ['A neon city by the sea at midnight', 'night', ['city', 'sea']],
    ['Golden sunset over quiet mountains', 'sunset', ['mountains']],
    ['An owl in a snowy forest at dawn', 'dawn', ['forest']],
    ['Saturn and its moons', 'space', []],
    ['Deserts in summer', 'day', ['desert']],
    ['Thunder above the harbour', 'storm', ['sea']],
  ])('of "%s" shows what it speaks of', (prompt, mood, grounds) => {
    expect(createStoryboard(prompt)).toMatchObject({ mood, grounds })
  })

  test('of words that name no place still shows one, and the same each time', () => {
    const seen = new Set<string>()
    for (let number = 0; number < 20; number++) {
      const { mood, grounds, weather, palette } = createStoryboard(`idea ${number}`)
      expect(grounds).toHaveLength(1)
      const { chance: _, ...again } = createStoryboard(`idea ${number}`)
      expect(again).toMatchObject({ mood, grounds, weather, palette })
      seen.add(`${mood} ${grounds}`)
    }
    expect(seen.size).toBeGreaterThan(4)
  })

  test.each([
    ['Hello', ['Hello']],
    ['A rook, a key, a market', ['A rook,', 'a key,', 'a market']],
    ['An owl learns to trade in a snowy forest at dawn', ['An owl learns to trade', 'in a snowy forest at dawn']],
    ['Чайка над морем', ['Чайка над морем']],
    ['海の上のカモメ', []],
    ['🦉🦉🦉', []],
    ['ha\u0000rd \u202etricks\u0007', ['ha rd tricks']],
  ])('writes %j as %j', (prompt, phrases) => {
    expect(phrasesOf(prompt)).toEqual(phrases)
  })

  test('cuts a long prompt, and says so', () => {
    const phrases = phrasesOf('many words '.repeat(90))
    expect(phrases.length).toBeLessThanOrEqual(4)
    expect(phrases.at(-1)).toMatch(/…$/)
    for (const phrase of phrasesOf('x'.repeat(2_000))) expect(phrase.length).toBeLessThan(40)
  })

  test.each(['Rain on a field', 'Fireflies over the desert', 'Snow', 'Planets', '海', '…'])(
    'draws %s, and moves',
    async (prompt) => {
      const film = await createFilm({ prompt, width: 160, height: 90, seconds: 6 })
      const [start, end] = [Buffer.from(film(0)), Buffer.from(film(5))]
      expect(start).toHaveLength(160 * 90 * 4)
      expect(start.equals(end)).toBe(false)
    },
  )
})
