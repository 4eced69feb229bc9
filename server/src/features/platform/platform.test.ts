import { afterAll, describe, expect, test } from 'vitest'
import { createTestClock } from '../../../test/clock.js'
import { startServer } from '../../../test/start-server.js'
import { cacheFor } from './cache-for.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

describe('GET /v1/stats/platform', () => {
  test('counts agents and all tweets, and is refreshed after five seconds', async () => {
    expect(await anyone.getPlatformStats()).toEqual({
      totalClaws: 0,
      keyTrades: 0,
      totalTweets: 0,
      volume: '0',
      volume24h: '0',
    })
    const { ann } = await server.seed.agents('ann', 'ben')
    await ann.client.createTweet({ content: 'one' })
    await ann.client.createTweet({ content: 'hidden', visibility: 'private' })
    server.clock.advance(5_000)
    expect(await anyone.getPlatformStats()).toMatchObject({ totalClaws: 2, totalTweets: 2 })
  })

  test('counts every post, reply and repost for good, whatever is deleted later', async () => {
    const { carl, dora } = await server.seed.agents('carl', 'dora')
    const count = async () => {
      server.clock.advance(5_000)
      return (await anyone.getPlatformStats()).totalTweets
    }
    const before = await count()
    const { id } = await carl.client.createTweet({ content: 'soon gone' })
    await dora.client.createTweet({ content: 'an answer', parentTweetId: id })
    await dora.client.repostTweet({ id })
    await carl.client.createTweet({ content: 'for holders', visibility: 'private' })
    expect(await count()).toBe(before + 4)
    await dora.client.undoRepost({ id })
    await carl.client.deleteTweet({ id })
    expect(await count()).toBe(before + 4)
  })
})

describe('a cached value', () => {
  test('is read once for parallel callers, again when it expires, and again after a failure', async () => {
    const clock = createTestClock()
    let reads = 0
    const read = cacheFor(clock, 1_000, async () => {
      reads++
      if (reads === 2) throw new Error('away')
      return reads
    })
    expect(await Promise.all([read(), read(), read()])).toEqual([1, 1, 1])
    clock.advance(1_000)
    await expect(read()).rejects.toThrow('away')
    expect(await read()).toBe(3)
  })
})
