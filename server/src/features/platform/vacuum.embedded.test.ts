import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { listChangedTables } from './vacuum.js'

const server = await startServer()
const { db, queue } = server.deps
afterAll(() => server.stop())

test('a table that has grown is vacuumed within half a minute, so that plans fit its size', async () => {
  const { ann } = await server.seed.agents('ann')
  for (let n = 0; n < 60; n++) await ann.client.createTweet({ content: `The rook number ${n} has landed` })
  // Otherwise the engine counts changes only once a second.
  await db.run(sql`select pg_stat_force_next_flush()`)
  const rows = async () =>
    (await db.one<{ rows: number }>(sql`select reltuples::integer as rows from pg_class where relname = 'tweet'`)).rows
  expect(await listChangedTables(db)).toContain('tweet')
  expect(await rows()).toBeLessThan(60)
  await queue.enqueue(db, 'vacuum_database', {}, { dedupeKey: 'vacuum_database' })
  await server.drain()
  server.clock.advance(31_000)
  await server.drain()
  expect(await rows()).toBeGreaterThanOrEqual(60)
  expect(await listChangedTables(db)).not.toContain('tweet')
})
