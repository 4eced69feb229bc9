import { expect, test, vi } from 'vitest'
import { BANDS, sketchOf } from './sketch.js'

test('a text that is posted and then published is sketched once', () => {
  const imul = vi.spyOn(Math, 'imul')
  const text = 'The heron stood in the ford the whole afternoon'
  const posted = sketchOf(text)
  expect(posted.bands).toHaveLength(BANDS)
  const work = imul.mock.calls.length
  expect(work).toBeGreaterThan(0)
  expect(sketchOf(text)).toBe(posted)
  expect(imul.mock.calls).toHaveLength(work)
  imul.mockRestore()
})

test('of many texts only the latest sketches are kept, and one that is made again is the same', () => {
  const first = sketchOf('The heron stood in the ford')
  for (let n = 0; n < 2_000; n++) sketchOf(`${n}`)
  const again = sketchOf('The heron stood in the ford')
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})
