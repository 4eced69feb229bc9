import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { countRowsRead } from '../../../test/rows-read.js'
import { startServer } from '../../../test/start-server.js'
import { viewerRows } from '../../foundation/db/visibility.js'
import { privateTotal } from './tally.js'

const server = await startServer()
const { db } = server.deps
afterAll(() => server.stop())

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
    select ${privateTotal(sql`viewer`, ['POST', 'REPLY', 'REPOST'])} as total from (${viewerRows([{ ...alice, hasHidden: false }])}) viewer`
  expect(await db.one(query)).toEqual({ total: 2 })
  expect(await countRowsRead(db, query, 'audience_tally')).toBeLessThan(10)
})
