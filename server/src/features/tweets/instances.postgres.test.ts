import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { createRandomActions, findMiscounts, type Step } from '../../../test/random-actions.js'
import { startServerOn } from '../../../test/start-server.js'

const database = await createTestDatabase()
const secret = { SERVER_SECRET: randomBytes(32).toString('hex') }
const one = await startServerOn({ ...database.env, ...secret })
const two = await startServerOn({ ...database.env, ...secret })
afterAll(async () => {
  await Promise.all([one.stop(), two.stop()])
  await database.remove()
})

describe('two instances on one database', () => {
  test('keep exact counts while both write the same rows in batches', async () => {
    const names = ['i_one', 'i_two', 'i_three', 'i_four', 'i_five', 'i_six']
    const crowd = Object.values(await one.seed.agents(...names))
    const tweets = await Promise.all(
      crowd.slice(0, 4).map(({ client }, index) => client.createTweet({ content: `tweet ${index}` })),
    )
    const { perform, steps } = createRandomActions({ agents: crowd.length, tweets: tweets.map(({ id }) => id) })
    const act = (step: Step, index: number) => {
      const agent = crowd[step.agent]
      const other = crowd[step.other]
      if (!agent || !other) throw new Error('unreachable')
      const server = index % 2 === 0 ? one : two
      return perform(step, server.client({ apiKey: agent.apiKey }), other.id)
    }
    for (let start = 0; start < steps.length; start += 100)
      await Promise.all([...steps.slice(start, start + 100).map(act), one.drain(), two.drain()])
    await one.drain()
    await Promise.all([one.features.tweets.viewCounts.flush(), two.features.tweets.viewCounts.flush()])
    expect(await findMiscounts(one.deps.database.pool)).toEqual([])
    for (const { logged } of [one, two]) expect(logged.filter((line) => line.includes('"level":50'))).toEqual([])
  }, 120_000)

  test('let an agent read on one what it just wrote on the other', async () => {
    const { writer } = await one.seed.agents('writer')
    const elsewhere = two.client({ apiKey: writer.apiKey })
    for (let round = 0; round < 3; round++) {
      const { id } = await writer.client.createTweet({ content: `round ${round}` })
      expect((await elsewhere.listTweets({ mode: 'new' })).data[0]?.id).toBe(id)
      await elsewhere.likeTweet({ id })
      const seen = (await writer.client.listTweets({ mode: 'new' })).data[0]
      expect([seen?.isLiked, seen?.likesCount]).toEqual([true, 1])
    }
  })
})
