import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pingAgents } from '../src/features/agents/ping.js'
import { postCap } from '../src/features/control/rules.js'
import { followAgents, unfollowAgents } from '../src/features/follows/actions.js'
import { markRead } from '../src/features/notifications/actions.js'
import { createNewest } from '../src/features/notifications/newest.js'
import { createTweets } from '../src/features/tweets/create.js'
import { likeTweets, unlikeTweets } from '../src/features/tweets/likes.js'
import { seeTweets } from '../src/features/tweets/queries.js'
import { countWrites } from './rows-written.js'
import type { SeededAgent } from './seed.js'
import { startServer } from './start-server.js'
import { collectStatements } from './statements/record.js'

const server = await startServer()
const { deps } = server
afterAll(() => server.stop())

let ada: SeededAgent
let bob: SeededAgent
let tweetId: string
beforeAll(async () => {
  const seeded = await server.seed.agents('ada', 'bob')
  ada = seeded.ada
  bob = seeded.bob
  tweetId = (await bob.client.createTweet({ content: 'the first of all' })).id
  await ada.client.createTweet({ content: 'an answer', parentTweetId: tweetId })
  await bob.client.createTweet({ content: 'for holders', visibility: 'private' })
  await server.drain()
})

/** A call without an Idempotency-Key, which would add a statement before the call and one after it. */
async function call(method: 'POST' | 'DELETE', path: string, agent = ada, body: object = {}): Promise<void> {
  const headers = { 'X-API-Key': agent.apiKey, 'Content-Type': 'application/json' }
  const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) })
  expect(response.ok, await response.text()).toBe(true)
}

describe('the number of statements of an agent’s call', () => {
  const calls: [string, number, () => Promise<unknown>][] = [
    ['like', 1, () => call('POST', `/v1/tweets/${tweetId}/like`)],
    ['unlike', 1, () => call('DELETE', `/v1/tweets/${tweetId}/like`)],
    ['follow by id', 1, () => call('POST', `/v1/agents/${bob.id}/follow`)],
    ['unfollow', 1, () => call('POST', `/v1/agents/${bob.id}/unfollow`)],
    ['follow by a name not seen before', 2, () => call('POST', '/v1/agents/bob/follow')],
    ['post', 1, () => call('POST', '/v1/tweets', ada, { content: 'just words' })],
    [
      'reply that mentions',
      2,
      () => call('POST', '/v1/tweets', ada, { content: 'hello @bob', parentTweetId: tweetId }),
    ],
    ['repost', 2, () => call('POST', `/v1/tweets/${tweetId}/repost`)],
    ['me, a minute after the last ping', 2, () => ada.client.getMe()],
    ['me', 1, () => ada.client.getMe()],
    [
      'heartbeat, whose checklist is read one question after the other, by plans that are kept',
      14,
      () => ada.client.getHeartbeatData(),
    ],
    ['a feed that is narrowed', 2, () => ada.client.listTweets({ mode: 'new', type: 'POST' })],
    ['the second page of a feed', 2, () => ada.client.listTweets({ mode: 'new', page: 2, limit: 1 })],
    ['single tweet', 1, () => ada.client.getTweet({ id: tweetId })],
    ['single tweet that is kept', 1, () => ada.client.getTweet({ id: tweetId })],
    ['single tweet that is kept, without a key', 1, () => server.client().getTweet({ id: tweetId })],
    ['notifications', 1, () => bob.client.listNotifications()],
    ['notifications of one type', 1, () => bob.client.listNotifications({ type: 'LIKE' })],
    ['unread count', 1, () => bob.client.countUnreadNotifications()],
    ['mark all read', 1, () => call('POST', '/v1/notifications/mark-all-read', bob)],
    ['list of agents', 2, () => ada.client.listAgents()],
    ['what agents a page lists, without a key', 1, () => server.client().listAgents()],
  ]
  test.each(calls)('%s: %i', async (_, most, call) => {
    expect(await collectStatements(call)).toHaveLength(most)
  })

  test('an Idempotency-Key adds two', async () => {
    expect(await collectStatements(() => ada.client.likeTweet({ id: tweetId }))).toHaveLength(3)
  })

  test.each(['new', 'trending', 'for_you'] as const)('feed %s: 1, and one more for what has changed', async (mode) => {
    const read = () => bob.client.listTweets({ mode })
    await read()
    expect(await collectStatements(read)).toHaveLength(1)
    await server.deps.db.run(sql`update tweet set views_count = views_count + 1`)
    expect(await collectStatements(read)).toHaveLength(2)
    expect(await collectStatements(read)).toHaveLength(1)
  })
})

describe('the rows that an agent’s call writes', () => {
  test('me writes once a minute, a heartbeat always, each one narrow row; a single tweet none', async () => {
    const { una } = await server.seed.agents('una')
    const rowsWritten = await countWrites(deps.database.pool)
    expect(await rowsWritten(() => una.client.getMe())).toEqual({ agent_activity: 1 })
    expect(await rowsWritten(() => una.client.getMe())).toEqual({})
    server.clock.advance(59_000)
    expect(await rowsWritten(() => una.client.getMe())).toEqual({})
    server.clock.advance(1_000)
    expect(await rowsWritten(() => una.client.getMe())).toEqual({ agent_activity: 1 })
    expect(await rowsWritten(() => una.client.getHeartbeatData())).toEqual({ agent_activity: 1 })
    expect(await rowsWritten(() => una.client.getMe())).toEqual({})
    for (const _ of ['unknown', 'kept'])
      expect(await rowsWritten(() => una.client.getTweet({ id: tweetId }))).toEqual({})
  })
})

describe('a batch takes as many statements as a single call', () => {
  test('likes, follows, tweets, pings, reads', async () => {
    const names = Array.from({ length: 12 }, (_, index) => `crowd_${index}`)
    const crowd = Object.values(await server.seed.agents(...names))
    const agents = await Promise.all(
      crowd.map(async ({ apiKey }) => {
        const agent = await deps.identities.identify(apiKey)
        if (!agent) throw new Error('not seeded')
        return agent
      }),
    )
    const newest = createNewest(deps)
    await pingAgents(deps, agents)
    const sets: [string, () => Promise<unknown>][] = [
      [
        'like',
        () =>
          likeTweets(
            deps,
            agents.map((agent) => ({ agent, id: tweetId })),
          ),
      ],
      [
        'unlike',
        () =>
          unlikeTweets(
            deps,
            agents.map((agent) => ({ agent, id: tweetId })),
          ),
      ],
      [
        'follow',
        () =>
          followAgents(
            deps,
            agents.map((agent) => ({ agent, id: bob.id })),
          ),
      ],
      [
        'unfollow',
        () =>
          unfollowAgents(
            deps,
            agents.map((agent) => ({ agent, id: bob.id })),
          ),
      ],
      [
        'post',
        () =>
          createTweets(
            deps,
            postCap,
            agents.map((agent) => ({ agent, tweet: { content: 'in a choir' } })),
          ),
      ],
      ['ping', () => pingAgents(deps, agents)],
      [
        'see',
        () =>
          seeTweets(
            deps.db,
            agents.map((viewer) => ({ viewer, id: tweetId })),
          ),
      ],
      [
        'notifications',
        // This many start a batch at once.
        () => Promise.all(agents.slice(0, 8).map((agent) => newest({ agent, unread: false }))),
      ],
      [
        'mark read',
        () =>
          markRead(
            deps.db,
            agents.map((agent) => ({ agent })),
          ),
      ],
    ]
    for (const [name, work] of sets) expect([name, (await collectStatements(work)).length]).toEqual([name, 1])
  })
})
