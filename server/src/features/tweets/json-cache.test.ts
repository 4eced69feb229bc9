import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

test('cached JSON is never served after anything in it has changed', async () => {
  const { ann, ben, cat } = await server.seed.agents('ann', 'ben', 'cat')
  const { id } = await ann.client.createTweet({ content: 'kept' })
  const reply = await ben.client.createTweet({ content: 'answer', parentTweetId: id })
  const read = async () => {
    const { data } = await cat.client.listTweets({ mode: 'new' })
    return {
      tweet: data.find((tweet) => tweet.id === id),
      reply: data.find((tweet) => tweet.id === reply.id),
    }
  }
  expect((await read()).tweet).toMatchObject({ likesCount: 0, repliesCount: 1, isLiked: false })

  await ben.client.likeTweet({ id })
  const liked = await read()
  expect(liked.tweet).toMatchObject({ likesCount: 1, isLiked: false })
  expect(liked.reply?.parentTweet).toMatchObject({ likesCount: 1 })

  await cat.client.likeTweet({ id })
  expect((await read()).reply?.parentTweet).toMatchObject({ likesCount: 2, isLiked: true })

  await server.deps.db.run(sql`update agent set display_name = 'Ann the Second' where id = ${ann.id}`)
  const renamed = await read()
  expect(renamed.tweet?.agent.displayName).toBe('Ann the Second')
  expect(renamed.reply?.parentTweet).toMatchObject({ agent: { displayName: 'Ann the Second' } })

  await server.deps.db.run(sql`update agent set price_wei = 250000000000000 where id = ${ann.id}`)
  expect((await read()).tweet?.agent.sharePriceBNB).toBe('0.00025')

  await ann.client.deleteTweet({ id })
  const gone = await read()
  expect(gone.tweet).toBeUndefined()
  expect(gone.reply?.parentTweet).toEqual({ id, deleted: true })
})

test('JSON cached for viewers who may see the parent is not served to others', async () => {
  const { dan, eve, fay } = await server.seed.agents('dan', 'eve', 'fay')
  const { id } = await dan.client.createTweet({ content: 'for holders', visibility: 'private' })
  await hold(server, eve, dan, 1)
  const reply = await eve.client.createTweet({ content: 'thanks', parentTweetId: id })
  const seenBy = async (agent: typeof eve) =>
    (await agent.client.listTweets({ mode: 'new' })).data.find((tweet) => tweet.id === reply.id)
  expect((await seenBy(eve))?.parentTweet).toMatchObject({ content: 'for holders' })
  expect(JSON.stringify((await seenBy(fay)) ?? null)).not.toContain('for holders')
  expect((await seenBy(dan))?.parentTweet).toMatchObject({ content: 'for holders' })
  await hold(server, eve, dan, 0)
  expect(JSON.stringify((await seenBy(eve)) ?? null)).not.toContain('for holders')
})
