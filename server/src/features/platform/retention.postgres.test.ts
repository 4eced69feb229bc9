import { Client } from 'pg'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { startServer } from '../../../test/start-server.js'
import { momentOf } from '../../foundation/db/id-at.js'
import { listPartitions } from '../../foundation/db/partitions.js'

const server = await startServer({ env: { KEEP_NOTIFICATIONS_DAYS: '65', KEEP_AUDIT_DAYS: '120' } })
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.end()
  await server.stop()
})
const { db, queue } = server.deps
const { ada, bob } = await server.seed.agents('ada', 'bob')

async function connect(): Promise<Client> {
  const client = new Client({ connectionString: server.config.DATABASE_URL })
  await client.connect()
  clients.push(client)
  return client
}

const DAY_MS = 24 * 60 * 60_000

async function keepUp(): Promise<void> {
  await queue.enqueue(db, 'keep_partitions', {}, { dedupeKey: 'keep_partitions' })
  await server.drain()
}

async function likeOne(): Promise<void> {
  const { id } = await ada.client.createTweet({ content: 'Something to like' })
  await bob.client.likeTweet({ id })
}

const isThere = async (name: string) => (await listPartitions(db)).some((partition) => partition.name === name)
const isTable = (name: string) =>
  db.one<{ is: boolean }>(sql`select to_regclass(${name}) is not null as is`).then(({ is }) => is)

/** Waits until the statement that detaches a partition waits for the transactions before it; returns its process. */
async function waitForDetach(): Promise<number> {
  for (;;) {
    const row = await db.find<{ pid: number }>(sql`
      select pid from pg_stat_activity where datname = current_database() and query like 'alter table%detach%' and wait_event_type = 'Lock'`)
    if (row) return row.pid
  }
}

describe('while a partition is dropped', () => {
  test('readers and writers wait for no lock, not even behind a transaction that uses it', async () => {
    await likeOne()
    const before = (await listPartitions(db)).find(({ name }) => name === 'notification_before')
    const end = momentOf(before?.upper ?? '').getTime()
    for (const days of [-7, 21, 42]) {
      server.clock.advance(end + days * DAY_MS - server.clock.now().getTime())
      await keepUp()
    }
    server.clock.advance(25 * DAY_MS)
    const [old, other] = [await connect(), await connect()]
    await old.query('begin; select from notification; select from audit_entry')
    // Months are added first: the empty partition for the rest is detached and added again.
    const keeping = keepUp()
    const pid = await waitForDetach()

    // A statement that waits for a lock fails.
    await other.query("set lock_timeout = '1ms'")
    const read = 'select count(*)::int as n from notification where agent_id = $1'
    const write = `insert into notification (id, agent_id, type, cause_id, created_at) values ($1, $2, 'MODERATION', $1, now())`
    const use = async () => {
      await other.query(read, [ada.id])
      await other.query(write, [server.deps.ids.next(), ada.id])
      await other.query('update notification set is_read = is_read where agent_id = $1', [ada.id])
      await other.query("delete from notification where type = 'MODERATION'")
      await other.query('select from audit_entry where agent_id = $1 order by id desc limit 5', [ada.id])
    }
    await use()
    // Whoever began before still sees what it saw.
    expect((await old.query('select from notification')).rowCount).toBeGreaterThan(0)
    await db.run(sql`select pg_cancel_backend(${pid})`)
    await keeping
    await use()
    await likeOne()
    expect(server.logged.some((line) => line.includes('partitions are added and dropped later'))).toBe(true)

    await old.query('commit')
    for (let attempt = 0; attempt < 20 && (await isTable('notification_before')); attempt++) {
      server.clock.advance(11 * 60_000)
      await keepUp()
      await use()
    }
    expect(await isThere('notification_before')).toBe(false)
    expect(await isTable('notification_before')).toBe(false)
    expect((await ada.client.listNotifications()).data).toHaveLength(1)
    expect((await ada.client.countUnreadNotifications()).count).toBe(1)
  }, 120_000)

  test('one that was interrupted is finished in a later month, although months are added first', async () => {
    const kept = (await listPartitions(db)).filter(({ table, upper }) => table === 'notification' && upper !== null)
    const [first] = kept.sort((a, b) => ((a.upper ?? '') < (b.upper ?? '') ? -1 : 1))
    const expiresAt = momentOf(first?.upper ?? '').getTime() + 65 * DAY_MS
    const name = first?.name ?? ''
    server.clock.advance(expiresAt - DAY_MS / 2 - server.clock.now().getTime())
    await keepUp()
    server.clock.advance(DAY_MS)
    const old = await connect()
    await old.query('begin; select from notification')
    const keeping = keepUp()
    await db.run(sql`select pg_cancel_backend(${await waitForDetach()})`)
    await keeping
    expect((await listPartitions(db)).find((partition) => partition.name === name)?.isPending).toBe(true)
    await old.query('commit')

    server.clock.advance(31 * DAY_MS)
    await keepUp()
    expect(await isTable(name)).toBe(false)
    const months = (await listPartitions(db)).filter(({ table }) => table === 'notification')
    const end = months.reduce((end, { upper }) => (upper !== null && upper > end ? upper : end), '')
    expect(momentOf(end).getTime()).toBeGreaterThan(server.clock.now().getTime() + 27 * DAY_MS)
  }, 120_000)
})
