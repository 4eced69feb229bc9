import sql, { raw } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { startServer } from './start-server.js'
import { collectStatements } from './statements/record.js'

const server = await startServer()
const { db } = server.deps
afterAll(() => server.stop())

// What notifies, and the logs of events and of calls, which every call writes.
const OTHERS = ['audit_entry', 'event', 'event_draft', 'event_log', 'instance']

/** The rows that the work has written, by table. */
async function countWritten(work: () => Promise<unknown>): Promise<Record<string, number>> {
  const { before } = await db.one<{ before: string }>(sql`select pg_current_xact_id()::text as before`)
  await work()
  const tables = await db.many<{ name: string; part: string }>(sql`
    select coalesce(pg_partition_root(oid), oid)::regclass::text as name, oid::regclass::text as part
    from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1, 2`)
  const written: Record<string, number> = {}
  for (const { name, part } of tables) {
    const { n } = await db.one<{ n: number }>(
      sql`select count(*)::int as n from ${raw(part)} where xmin::text::bigint > ${before}::bigint`,
    )
    if (n > 0 && !OTHERS.includes(name)) written[name] = (written[name] ?? 0) + n
  }
  return written
}

test('a post is one statement and six rows, and publishing it writes one more and a job', async () => {
  const { ada } = await server.seed.agents('ada')
  await ada.client.createTweet({ content: 'the first of the day' })
  await server.drain()
  let statements: unknown[] = []
  const posted = await countWritten(async () => {
    const headers = { 'X-API-Key': ada.apiKey, 'Content-Type': 'application/json' }
    statements = await collectStatements(async () => {
      const body = JSON.stringify({ content: 'the rooks are back on the elm' })
      const response = await fetch(`${server.url}/v1/tweets`, { method: 'POST', headers, body })
      expect(response.status).toBe(201)
    })
  })
  expect(statements).toHaveLength(1)
  expect(posted).toEqual({ agent_usage: 1, job: 1, tally: 2, tweet: 1, tweet_order: 1 })

  const published = await countWritten(() => server.drain())
  expect(published).toEqual({ tweet_embedding: 1, tweet_sketch: 1 })
})
