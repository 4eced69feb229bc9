import { afterAll, expect, test } from 'vitest'
import { findMiscounts } from '../../../test/random-actions.js'
import { startServer } from '../../../test/start-server.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { removeTweet } from './delete.js'
import { getTweet } from './queries.js'
import { restoreTweets, withholdTweets } from './withhold.js'

const server = await startServer()
const { deps } = server
const { db } = deps
afterAll(() => server.stop())

test('a tweet that is taken down or brought back after its author read it is deleted with the right counts', async () => {
  const { ann, ben } = await server.seed.agents('ann', 'ben')
  const me = (await deps.identities.identify(ben.apiKey)) as AgentIdentity
  const parent = await ann.client.createTweet({ content: 'a question' })
  const why = { reason: 'so', decisionId: null }
  for (const isDown of [false, true]) {
    const { id } = await ben.client.createTweet({ content: `answer ${isDown}`, parentTweetId: parent.id })
    await ann.client.repostTweet({ id })
    const down = () => db.transaction((db) => withholdTweets(db, deps, [id], 'decision', why))
    const up = () => db.transaction((db) => restoreTweets(db, deps, [id], 'decision'))
    if (isDown) await down()
    const stale = await getTweet(db, me, id)
    await (isDown ? up() : down())
    await db.transaction((db) => removeTweet(db, deps, me, stale))
    expect(await findMiscounts(deps.database.pool)).toEqual([])
    const { repliesCount } = await ann.client.getTweet({ id: parent.id })
    expect(repliesCount).toBe(0)
  }
})
