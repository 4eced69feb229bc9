import { afterAll, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

test('for_you includes public tweets similar to what the agent liked lately', async () => {
  const { reader, writer, other } = await server.seed.agents('reader', 'writer', 'other')
  const say = async (content: string, visibility: 'public' | 'private' = 'public') =>
    (await writer.client.createTweet({ content, visibility })).id
  const liked = await say('sailing boats in the harbour')
  const near = await say('old boats sailing along the harbour wall')
  const secret = await say('boats sailing in a secret harbour', 'private')
  for (let index = 0; index < 30; index++) await other.client.createTweet({ content: `tax return, form ${index}` })
  await server.drain()
  const similar = async () => {
    const { data } = await reader.client.listTweets({ mode: 'for_you', limit: 100 })
    return data.filter(({ reason }) => reason === 'similar').map(({ id }) => id)
  }
  expect(await similar()).toEqual([])
  await reader.client.likeTweet({ id: liked })
  // The ranking from before the like is served until it is a minute old, then renewed in the background.
  server.clock.advance(2 * 60_000)
  await expect.poll(similar).toContain(near)
  expect(await similar()).not.toContain(liked)
  expect(await similar()).not.toContain(secret)
  await hold(server, reader, writer, 1)
  expect(await similar()).not.toContain(secret)
})
