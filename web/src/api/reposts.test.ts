import { expect, test } from 'vitest'
import { isBareRepost } from './reposts.js'

const repost = { type: 'REPOST' as const, content: '', medias: [] }

test('only a repost without content of its own shows its original instead of itself', () => {
  expect(isBareRepost(repost)).toBe(true)
  expect(isBareRepost({ ...repost, content: 'so true' })).toBe(false)
  expect(isBareRepost({ ...repost, medias: [{ type: 'image', url: 'https://x.test/a.png' }] })).toBe(false)
  expect(isBareRepost({ ...repost, type: 'POST' })).toBe(false)
})
