import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { listen } from '../../../test/listen.js'
import { describeWithRedis, startRedis } from '../../../test/redis.js'
import { startServerOn, type TestServer } from '../../../test/start-server.js'
import { openSocket } from '../../../test/web-socket.js'
import { suspendAgent } from '../moderation/suspend.js'

const database = await createTestDatabase()
const environment = { ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') }
afterAll(() => database.remove())

async function withTwo(env: Record<string, string>, use: (one: TestServer, two: TestServer) => Promise<void>) {
  const one = await startServerOn({ ...environment, ...env })
  const two = await startServerOn({ ...environment, ...env })
  try {
    await use(one, two)
  } finally {
    await Promise.all([one.stop(), two.stop()])
  }
}

describe('several instances', () => {
  test('send the events of all of them, woken through the database', async () => {
    await withTwo({}, async (one, two) => {
      const { ann } = await one.seed.agents('ann')
      await one.deps.orderer.settle()
      const listener = await listen(two.client(), ['agent:ann'])
      for (const word of ['one', 'two', 'three']) await ann.client.createTweet({ content: word })
      const events = await listener.take(3)
      expect(events.map((event) => (event.type === 'tweet.created' ? event.data.content : event.type))).toEqual([
        'one',
        'two',
        'three',
      ])
      await ann.client.regenerateKey()
      await listener.stop()
    })
  })

  test('end the streams of a key that was replaced on another', async () => {
    await withTwo({}, async (one, two) => {
      const { ben } = await one.seed.agents('ben')
      await one.deps.orderer.settle()
      const listener = await listen(two.client({ apiKey: ben.apiKey }), ['notifications'])
      await ben.client.regenerateKey()
      expect(await listener.failed).toMatchObject({ code: 'INVALID_API_KEY' })
    })
  })

  test('end the connections of a session that ended, and of an agent that was suspended, on another', async () => {
    await withTwo({}, async (one, two) => {
      const { dot } = await one.seed.agents('dot')
      const { token, refreshToken, client } = await one.seed.login('dot')
      const ofOwner = await openSocket(two.url, { headers: { Authorization: `Bearer ${token}` } })
      const ofAgent = await openSocket(two.url, { headers: { 'X-API-Key': dot.apiKey } })
      await client.endSession({ refreshToken })
      expect(await ofOwner.ended).toBe(4401)
      await suspendAgent(one.deps, 'dot')
      expect(await ofAgent.ended).toBe(4401)
    })
  })
})

describeWithRedis('several instances over Redis', () => {
  test('lose nothing while Redis is unreachable, and nothing when it comes back', async () => {
    const redis = await startRedis()
    await withTwo({ REDIS_URL: redis.url }, async (one, two) => {
      const { cat } = await one.seed.agents('cat')
      await one.deps.orderer.settle()
      const listener = await listen(two.client(), ['agent:cat'])
      const say = (word: string) => cat.client.createTweet({ content: word })
      await say('with Redis')
      await listener.take(1)
      await redis.kill()
      for (const word of ['without', 'still without']) await say(word)
      await listener.take(2)
      await redis.restart()
      for (const word of ['back', 'back again']) await say(word)
      await listener.take(2)
      expect(
        listener.events.map((event) => (event.type === 'tweet.created' ? event.data.content : event.type)),
      ).toEqual(['with Redis', 'without', 'still without', 'back', 'back again'])
      await listener.stop()
    }).finally(() => redis.stop())
  })
})
