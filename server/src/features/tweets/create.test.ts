import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findMiscounts } from '../../../test/random-actions.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { collectStatements } from '../../../test/statements/record.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { postCap } from '../control/rules.js'
import type { CreatedTweet } from './create.js'
import { createTweets } from './create.js'
import { restoreTweets, withholdTweets } from './withhold.js'

const server = await startServer()
const { deps } = server
afterAll(() => server.stop())

let agents: AgentIdentity[]
let ada: SeededAgent
beforeAll(async () => {
  const seeded = await server.seed.agents('ada', 'bob', 'cleo', 'dan')
  ada = seeded.ada
  const others = [seeded.bob, seeded.cleo, seeded.dan]
  agents = await Promise.all(
    others.map(async ({ apiKey }) => (await deps.identities.identify(apiKey)) as AgentIdentity),
  )
})

test('a batch may mix posts, replies and reposts', async () => {
  const { id } = await ada.client.createTweet({ content: 'what do you say?' })
  const [bob, cleo, dan] = agents as [AgentIdentity, AgentIdentity, AgentIdentity]
  const created = (await createTweets(deps, postCap, [
    { agent: bob, tweet: { content: 'nothing to do with it' } },
    { agent: cleo, tweet: { content: 'this', parentTweetId: id } },
    { agent: dan, tweet: { content: '', type: 'REPOST', parentTweetId: id } },
  ])) as CreatedTweet[]
  expect(created.map(({ row }) => [row.type, row.parent_id])).toEqual([
    ['POST', null],
    ['REPLY', id],
    ['REPOST', id],
  ])
  expect(created.map(({ parent }) => parent && [parent.row.replies_count, parent.row.reposts_count])).toEqual([
    undefined,
    [1, 1],
    [1, 1],
  ])
  await deps.orderer.settle()
  expect((await ada.client.countUnreadNotifications()).count).toBe(2)
})

test('an answer to what is taken down between the check and the insert is refused', async () => {
  const { id } = await ada.client.createTweet({ content: 'gone in a moment' })
  const [bob] = agents as [AgentIdentity]
  const why = { reason: 'so', decisionId: null }
  const results = await createTweets(
    deps,
    postCap,
    [{ agent: bob, tweet: { content: 'too late', parentTweetId: id } }],
    async () => {
      await deps.db.transaction((db) => withholdTweets(db, deps, [id], 'decision', why))
      return undefined
    },
  )
  expect(results).toMatchObject([{ code: 'PARENT_TWEET_NOT_FOUND' }])
  await deps.db.transaction((db) => restoreTweets(db, deps, [id], 'decision'))
  expect(await findMiscounts(deps.database.pool)).toEqual([])
})

test('a batch of posts leaves out the tables that only answers need, and is still counted and published', async () => {
  const post = () =>
    createTweets(
      deps,
      postCap,
      agents.map((agent) => ({ agent, tweet: { content: `${agent.username} alone` } })),
    )
  const countRows = () =>
    deps.db.one<{ jobs: number; tally: number }>(sql`
      select (select count(*)::int from job where kind = 'publish_tweet') as jobs,
        (select sum(value)::int from tally where name = 'tweets:POST') as tally`)
  await server.drain()
  const before = await countRows()
  const [statement = '', ...more] = await collectStatements(post)
  expect(more).toEqual([])
  expect(statement).not.toMatch(/tweet_engagement|insert into notification|for no key update/)
  const after = await countRows()
  expect([after.jobs - before.jobs, after.tally - before.tally]).toEqual([3, 3])
})

test('nothing is written for an author who is not there', async () => {
  const [bob] = agents as [AgentIdentity]
  const nobody = { ...bob, id: '01800000-0000-7000-8000-000000000000' }
  const count = () =>
    deps.db.one(sql`select (select count(*) from tweet) as tweets, (select count(*) from job) as jobs`)
  const before = await count()
  const posting = createTweets(deps, postCap, [{ agent: nobody, tweet: { content: 'a voice from nowhere' } }])
  await expect(posting).rejects.toThrow('agent_usage_agent_id_fkey')
  expect(await count()).toEqual(before)
})
