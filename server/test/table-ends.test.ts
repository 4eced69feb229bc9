import sql, { raw, type Sql } from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { idAt } from '../src/foundation/db/id-at.js'
import { startServer } from './start-server.js'
import { type End, TWO_YEARS_MS, tableEnds } from './table-ends.js'

const server = await startServer({ env: { WEBHOOKS_ALLOW_PRIVATE: 'yes' } })
afterAll(() => server.stop())
const { db, queue, clock } = server.deps
const { ada } = await server.seed.agents('ada')
const { id: tweetId } = await ada.client.createTweet({ content: 'Something to see' })
const { webhook } = await ada.client.createWebhook({ url: 'http://127.0.0.1:9/' })
await db.run(sql`insert into local_x_account (handle, name, created_at) values ('old', 'Old', ${clock.now()})`)
const ends: Record<string, End> = tableEnds({ now: clock.now(), agentId: ada.id, tweetId, webhookId: webhook.id })

test('every table has an end: a new one needs a line in server/test/table-ends.ts', async () => {
  // Each model of embeddings has tables of its own, which go with it.
  const rows = await db.many<{ name: string }>(sql`
    select relname as name from pg_class
    where relnamespace = (select relnamespace from pg_class where oid = 'agent'::regclass)
      and relkind in ('r', 'p') and not relispartition and relname !~ '_embedding_[0-9]+$'
    order by relname collate "C"`)
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(ends).sort())
})

test('upkeep deletes what is two years old from every table whose rows end', async () => {
  const old = await Promise.all(
    Object.entries(ends).flatMap(([table, end]) => ('old' in end ? [oldRow(table, end.old)] : [])),
  )
  for (const { table, names, row } of old) await db.run(sql`insert into ${table} (${names}) ${row}`)
  // Events go in their order, and the old one is before the first.
  await db.run(sql`update event_log set pruned_id = -1`)
  for (const kind of ['delete_expired', 'delete_old_events'] as const) await queue.enqueue(db, kind, {})
  await server.drain()
  const left = []
  for (const { table, names, row } of old)
    if (await db.find(sql`select ${names} from ${table} intersect ${row}`)) left.push(table.sql)
  expect(left).toEqual([])
})

/** The row as a query for these columns. */
async function oldRow(name: string, columns: object): Promise<Record<'table' | 'names' | 'row', Sql>> {
  const table = raw(name)
  const values = { id: idAt(new Date(clock.now().getTime() - TWO_YEARS_MS)), ...columns }
  const known = await db.many<{ name: string }>(sql`
    select attname as name from pg_attribute where attrelid = ${name}::regclass and attname = any(${Object.keys(values)})`)
  const names = raw(known.map(({ name }) => name).join(', '))
  const row = sql`select ${names} from jsonb_populate_record(null::${table}, ${JSON.stringify(values)}::jsonb)`
  return { table, names, row }
}
