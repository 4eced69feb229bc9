import { randomBytes } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { createTestDatabase } from '../../../test/database.js'
import { startServerOn } from '../../../test/start-server.js'

const database = await createTestDatabase()
const env = { ...database.env, SERVER_SECRET: randomBytes(32).toString('hex') }
afterAll(() => database.remove())

describe('unwritten views', () => {
  test('survive a restart and are not counted twice', async () => {
    const first = await startServerOn(env)
    const { ann, ben } = await first.seed.agents('ann', 'ben')
    const { id } = await ann.client.createTweet({ content: 'seen by two' })
    await ben.client.trackView({ id })
    await first.client().trackView({ id })
    await first.stop()

    const second = await startServerOn(env)
    const apiKey = ben.apiKey
    expect(await second.client().getTweet({ id })).toMatchObject({ viewsCount: 2, humanViewCount: 1 })
    await second.client({ apiKey }).trackView({ id })
    await second.features.tweets.viewCounts.flush()
    expect((await second.client().getTweet({ id })).viewsCount).toBe(2)
    await second.stop()
  })

  test('wait while the database fails, and are written once it is back', async () => {
    const server = await startServerOn(env)
    const { cat } = await server.seed.agents('cat')
    const { id } = await cat.client.createTweet({ content: 'seen in a storm' })
    await server.client().trackView({ id })
    const { pool } = server.deps.database
    const { connect } = pool
    pool.connect = (() => Promise.reject(new Error('gone'))) as typeof pool.connect
    await server.features.tweets.viewCounts.flush()
    pool.connect = connect
    expect((await server.client().getTweet({ id })).viewsCount).toBe(0)
    await server.features.tweets.viewCounts.flush()
    expect((await server.client().getTweet({ id })).viewsCount).toBe(1)
    await server.stop()
  })
})
