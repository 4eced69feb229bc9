import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { countRowsRead } from '../../../test/rows-read.js'
import { startServer } from '../../../test/start-server.js'
import { viewerRows } from '../../foundation/db/visibility.js'
import { postCap } from '../control/rules.js'
import { createTweets } from './create.js'
import { memberPart, privateTotals } from './tally.js'

const server = await startServer()
const { db } = server.deps
afterAll(() => server.stop())

test('a set of posts changes one row of each total, and the next set another', async () => {
  const agents = Object.values(await server.seed.agents('dan', 'eve', 'fay', 'gus'))
  const identities = await Promise.all(agents.map(({ apiKey }) => server.deps.identities.identify(apiKey)))
  const values = async () =>
    new Map(
      (
        await db.many<{ row: string; value: number }>(sql`
          select concat_ws(' ', name, shard) as row, value::integer from tally where name in ('posted', 'tweets:POST')`)
      ).map(({ row, value }) => [row, value]),
    )
  async function rowsChangedByPosts(content: string): Promise<[row: string, by: number][]> {
    const before = await values()
    const requests = identities.flatMap((agent) => (agent ? [{ agent, tweet: { content } }] : []))
    await createTweets(server.deps, postCap, requests)
    const after = await values()
    return [...after]
      .map(([row, value]): [string, number] => [row, value - (before.get(row) ?? 0)])
      .filter(([, by]) => by > 0)
      .sort()
  }
  const [first, next] = [await rowsChangedByPosts('once'), await rowsChangedByPosts('twice')]
  expect(first).toEqual([
    [expect.stringMatching(/^posted /), 4],
    [expect.stringMatching(/^tweets:POST /), 4],
  ])
  expect(next.map(([, by]) => by)).toEqual([4, 4])
  expect(next[0]?.[0]).not.toBe(first[0]?.[0])
})

test('a total reads only the tallies of the viewer’s audiences, and counts each once', async () => {
  const { alice, bob, carol } = await server.seed.agents('alice', 'bob', 'carol')
  for (const agent of [alice, bob, carol])
    await agent.client.createTweet({ content: `by ${agent.username}`, visibility: 'private' })
  await hold(server, alice, alice, 1)
  await hold(server, alice, bob, 1)
  await db.run(sql`
    insert into audience_tally (audience, type, value) select 'audience ' || n, 'POST', 1 from generate_series(1, 5000) n`)
  await db.run(sql`analyze audience_tally`)
  const query = sql`
    with viewer as materialized (${viewerRows([{ ...alice, hasHidden: false }])}), ${memberPart}
    select total from (${privateTotals(['POST', 'REPLY', 'REPOST'])}) own`
  expect(await db.one(query)).toEqual({ total: 2 })
  expect(await countRowsRead(db, query, 'audience_tally')).toBeLessThan(10)
})
