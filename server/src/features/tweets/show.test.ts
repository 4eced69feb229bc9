import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { outcome } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { listCaches } from '../../foundation/cache-counts.js'

const server = await startServer()
afterAll(() => server.stop())
const MINUTE_MS = 60_000

let ada: SeededAgent
let bob: SeededAgent
let cat: SeededAgent
beforeAll(async () => {
  ;({ ada, bob, cat } = await server.seed.agents('ada', 'bob', 'cat'))
})

const counts = () => {
  const { hits = 0, misses = 0 } = new Map(listCaches()).get('tweets') ?? {}
  return { hits, misses }
}

/** Does work, and returns how often the JSON of a tweet was kept meanwhile, and how often not. */
async function counting(work: () => Promise<unknown>) {
  const before = counts()
  await work()
  const after = counts()
  return { hits: after.hits - before.hits, misses: after.misses - before.misses }
}

describe('GET /v1/tweets/:id', () => {
  test('is made from kept JSON, and never shows an old state', async () => {
    const { id } = await ada.client.createTweet({ content: 'kept' })
    const reply = await bob.client.createTweet({ content: 'an answer', parentTweetId: id })
    const anyone = server.client()
    for (const client of [cat.client, anyone]) await client.getTweet({ id: reply.id })
    const read = () => Promise.all([cat.client, anyone].map((client) => client.getTweet({ id: reply.id })))
    expect(await counting(read)).toEqual({ hits: 2, misses: 0 })

    await cat.client.likeTweet({ id })
    const [marked, plain] = await read()
    expect(marked).toMatchObject({ isLiked: false, parentTweet: { likesCount: 1, isLiked: true } })
    expect(plain).toMatchObject({ parentTweet: { likesCount: 1 } })
    expect(Object.keys(plain ?? {})).not.toContain('isLiked')
    expect(Object.keys(plain?.parentTweet ?? {})).not.toContain('isLiked')

    await bob.client.updateProfile({ displayName: 'Bob the Second' })
    expect((await read()).map(({ agent }) => agent.displayName)).toEqual(['Bob the Second', 'Bob the Second'])

    await ada.client.deleteTweet({ id })
    expect((await read()).map(({ parentTweet }) => parentTweet)).toEqual([
      { id, deleted: true },
      { id, deleted: true },
    ])
    expect(await outcome(cat.client.getTweet({ id }))).toBe('404 TWEET_NOT_FOUND')
    expect(await outcome(anyone.getTweet({ id }))).toBe('404 TWEET_NOT_FOUND')
  })

  test('shows the same to many who ask at once as to each alone', async () => {
    const { id } = await ada.client.createTweet({ content: 'for holders', visibility: 'private' })
    const open = await ada.client.createTweet({ content: 'for all' })
    await hold(server, bob, ada, 1)
    const asked = [ada, bob, cat, undefined].flatMap((agent) =>
      [id, open.id].map((id) => () => (agent?.client ?? server.client()).getTweet({ id })),
    )
    const alone = []
    for (const ask of asked) alone.push(await outcome(ask()))
    expect(await Promise.all(asked.map((ask) => outcome(ask())))).toEqual(alone)
    expect(alone).toEqual(['done', 'done', 'done', 'done', '403 HOLDERS_ONLY', 'done', '403 HOLDERS_ONLY', 'done'])
  })

  test('never shows what is kept to one who may not see it now', async () => {
    const { id } = await ada.client.createTweet({ content: 'for holders', visibility: 'private' })
    const open = await ada.client.createTweet({ content: 'for all' })
    await hold(server, bob, ada, 1)
    const reply = await bob.client.createTweet({ content: 'thanks', parentTweetId: id })
    const readBy = (agent: SeededAgent, id: string) => outcome(agent.client.getTweet({ id }))
    for (const tweet of [id, reply.id, open.id])
      for (const agent of [ada, bob]) expect(await readBy(agent, tweet)).toBe('done')

    const [owner, stranger] = await Promise.all([server.seed.login('bob'), server.seed.login('cat')])
    expect((await owner.client.getTweet({ id })).content).toBe('for holders')
    expect(await outcome(stranger.client.getTweet({ id }))).toBe('403 HOLDERS_ONLY')
    for (const tweet of [id, reply.id]) {
      expect(await readBy(cat, tweet)).toBe('403 HOLDERS_ONLY')
      expect(await outcome(server.client().getTweet({ id: tweet }))).toBe('403 HOLDERS_ONLY')
    }
    await hold(server, bob, ada, 0)
    expect(await readBy(bob, id)).toBe('403 HOLDERS_ONLY')
    // Its own reply stays, without what it answers.
    expect(JSON.stringify(await bob.client.getTweet({ id: reply.id }))).not.toContain('for holders')

    await ada.client.blockAgent({ id: bob.id })
    expect(await readBy(bob, open.id)).toBe('404 TWEET_NOT_FOUND')
    expect(await readBy(cat, open.id)).toBe('done')
    await ada.client.unblockAgent({ id: bob.id })
  })
})

test('what is kept of an agent’s tweets outlives its calls of me, its heartbeats, follows and trades of others', async () => {
  const ids: string[] = []
  for (const content of ['one', 'two', 'three']) ids.push((await ada.client.createTweet({ content })).id)
  await ada.client.getMe()
  server.clock.advance(2 * MINUTE_MS)
  const readAll = () => Promise.all(ids.map((id) => cat.client.getTweet({ id })))
  await readAll()
  const due = server.clock.now().toISOString()
  const { lastPingAt } = await ada.client.getMe()
  expect(lastPingAt && lastPingAt >= due).toBe(true)
  await ada.client.getHeartbeatData()
  await bob.client.followAgent({ id: ada.id })
  await ada.client.followAgent({ id: bob.id })
  await server.deps.database.pool.query('update agent set holding_value_wei = holding_value_wei + 1')
  expect(await counting(readAll)).toEqual({ hits: 3, misses: 0 })
  await ada.client.updateProfile({ displayName: 'Ada the Second' })
  expect(await counting(readAll)).toEqual({ hits: 0, misses: 3 })
})
