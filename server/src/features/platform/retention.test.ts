import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { findMiscounts } from '../../../test/random-actions.js'
import { startServer } from '../../../test/start-server.js'
import { momentOf } from '../../foundation/db/id-at.js'
import { listPartitions } from '../../foundation/db/partitions.js'

const DAY_MS = 24 * 60 * 60_000
const WEEK_MS = 7 * DAY_MS
const LONGEST_MONTH_DAYS = 31

const server = await startServer({ env: { KEEP_NOTIFICATIONS_DAYS: '60', KEEP_AUDIT_DAYS: '120' } })
afterAll(() => server.stop())
const { db, queue, database } = server.deps
const { ada, bob, cyd } = await server.seed.agents('ada', 'bob', 'cyd')

const now = () => server.clock.now().getTime()

async function keepUp(): Promise<void> {
  await queue.enqueue(db, 'keep_partitions', {}, { dedupeKey: 'keep_partitions' })
  await server.drain()
}

const namesOf = async (table: string) =>
  (await listPartitions(db)).filter((partition) => partition.table === table).map(({ name }) => name)

/** The migration decides by the real time where the first partition ends. The test begins three weeks before that. */
async function moveToTheEndOfBefore(): Promise<void> {
  const before = (await listPartitions(db)).find(({ name }) => name === 'notification_before')
  server.clock.advance(momentOf(before?.upper ?? '').getTime() - 3 * WEEK_MS - now())
}

/** The rows that an endpoint lists, page by page. */
async function listAll<Row>(
  list: (cursor: { cursor?: string }) => Promise<{ data: Row[]; meta: { total: number; nextCursor: string | null } }>,
): Promise<Row[]> {
  const first = await list({})
  const rows = [...first.data]
  for (let { nextCursor } = first.meta; nextCursor !== null; ) {
    const { data, meta } = await list({ cursor: nextCursor })
    rows.push(...data)
    nextCursor = meta.nextCursor
  }
  expect(rows).toHaveLength(first.meta.total)
  return rows
}

describe('over months', () => {
  test('what is within its time is answered, and what is beyond goes with its month', async () => {
    await moveToTheEndOfBefore()
    const tweeted: number[] = []
    /** How many of the newest rows must be kept, and how many may be. */
    const expectKept = (rows: readonly unknown[], days: number) => {
      const since = (days: number) => tweeted.filter((at) => at > now() - days * DAY_MS).length
      expect(rows.length, `${tweeted.length} tweets`).toBeGreaterThanOrEqual(since(days))
      expect(rows.length, `${tweeted.length} tweets`).toBeLessThanOrEqual(since(days + LONGEST_MONTH_DAYS))
    }
    for (const isReader of Array.from({ length: 12 }, () => [true, false]).flat()) {
      tweeted.push(now())
      const { id } = await ada.client.createTweet({ content: `Tweet ${tweeted.length} at the rookery` })
      await bob.client.likeTweet({ id })
      if (isReader) await ada.client.markAllNotificationsRead()
      server.clock.advance(10 * DAY_MS)
      await keepUp()
      const { data, meta } = await ada.client.listNotifications()
      expectKept(data, 60)
      expect(meta.total).toBe(data.length)
      const unread = data.filter(({ isRead }) => !isRead)
      expect(await ada.client.countUnreadNotifications()).toEqual({ count: unread.length })
    }
    expectKept(await listAll((cursor) => ada.client.listNotifications({ ...cursor, limit: 3 })), 60)
    // Sessions do not last for months.
    const { client: owner } = await server.seed.login('ada')
    const own = { id: 'ada', action: 'createTweet', limit: 3 }
    expectKept(await listAll((cursor) => owner.listAuditEntries({ ...own, ...cursor })), 120)
    // This month and the next, what is kept with the month that is partly beyond, and the rest.
    expect((await namesOf('notification')).length).toBeLessThanOrEqual(2 + 3 + 1)
    expect((await namesOf('audit_entry')).length).toBeLessThanOrEqual(2 + 5 + 1)
    expect(await findMiscounts(database.pool)).toEqual([])
    expect(await db.many(sql`select from notification_rest union all select from audit_entry_rest`)).toEqual([])
  }, 120_000)

  test('a like that is withdrawn and repeated in another month notifies once', async () => {
    const { id } = await ada.client.createTweet({ content: 'Liked twice' })
    const byCyd = async () =>
      (await ada.client.listNotifications()).data.filter(({ fromAgent }) => fromAgent?.username === 'cyd')
    await cyd.client.likeTweet({ id })
    await cyd.client.unlikeTweet({ id })
    server.clock.advance(LONGEST_MONTH_DAYS * DAY_MS)
    await keepUp()
    await cyd.client.likeTweet({ id })
    expect(await byCyd()).toHaveLength(1)
    expect(await findMiscounts(database.pool)).toEqual([])
  })

  test('a repeat that an instance of 0.1.0 notifies of is skipped, by the constraint that it names', async () => {
    const { id } = await ada.client.createTweet({ content: 'Liked by both versions' })
    await bob.client.likeTweet({ id })
    const repeat = (type: string, newId: string) => sql`
      insert into notification (id, agent_id, type, actor_id, tweet_id, created_at)
      values (${newId}, ${ada.id}, ${type}, ${bob.id}, ${id}, now())
      on conflict on constraint notification_once do nothing`
    expect(await db.run(repeat('LIKE', server.deps.ids.next()))).toBe(0)
  })

  test('a clock that jumps loses nothing, and what it wrote goes in its turn', async () => {
    server.clock.advance(200 * DAY_MS)
    const { id } = await ada.client.createTweet({ content: 'Half a year later' })
    await bob.client.likeTweet({ id })
    expect((await db.many(sql`select from notification_rest`)).length).toBe(1)
    await keepUp()
    expect(await db.many(sql`select from notification_rest`)).toEqual([])
    const { data } = await ada.client.listNotifications()
    expect(data.map(({ tweet }) => tweet?.content)).toEqual(['Half a year later'])
    server.clock.advance((60 + 2 * LONGEST_MONTH_DAYS) * DAY_MS)
    await keepUp()
    expect((await ada.client.listNotifications()).meta.total).toBe(0)
    expect(await ada.client.countUnreadNotifications()).toEqual({ count: 0 })
    expect(await findMiscounts(database.pool)).toEqual([])
  })
})
