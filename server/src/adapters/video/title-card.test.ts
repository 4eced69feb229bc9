import { describe, expect, test } from 'vitest'
import { createTitleCard, splitTitle } from './title-card.js'

describe('a title card', () => {
  test.each([
    ['Hello', ['Hello']],
    ['An owl learns to trade in a snowy forest at dawn', ['An owl learns to trade in a', 'snowy forest at dawn']],
    ['Чайка над морем', ['Чайка над морем']],
    ['海の上のカモメ', []],
    ['🦉🦉🦉', []],
    ['ha\u0000rd \u202etricks\u0007', ['ha rd tricks']],
  ])('writes %j as %j', (prompt, lines) => {
    expect(splitTitle(prompt)).toEqual(lines)
  })

  test('cuts a long prompt and adds an ellipsis', () => {
    const lines = splitTitle('many words '.repeat(90))
    expect(lines).toHaveLength(5)
    expect(lines.at(-1)).toMatch(/ …$/)
    for (const line of [...lines, ...splitTitle('x'.repeat(2_000))]) expect(line.length).toBeLessThan(40)
  })

  test.each(['Rain on a field', '海', '…'])('draws %s, and moves', async (prompt) => {
    const draw = await createTitleCard({ prompt, width: 160, height: 90 })
    const [start, end] = [Buffer.from(draw(0)), Buffer.from(draw(5))]
    expect(start).toHaveLength(160 * 90 * 4)
    expect(start.equals(end)).toBe(false)
  })

  test('depends only on the prompt', async () => {
    const draw = async (prompt: string) =>
      Buffer.from((await createTitleCard({ prompt, width: 160, height: 90 }))(1)).toString('base64')
    expect(await draw('A rook')).toBe(await draw('A rook'))
    expect(await draw('A rook')).not.toBe(await draw('A crow'))
  })
})
