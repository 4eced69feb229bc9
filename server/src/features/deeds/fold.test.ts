import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findMiscounts } from '../../../test/random-actions.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { createIds } from '../../base/clock.js'
import { listAuditEntries } from '../../foundation/audit/queries.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { startOfMonth } from '../../foundation/db/partitions.js'
import { listEvents } from '../../foundation/events/rows.js'
import { blockAgent } from '../blocks/actions.js'
import { postCap } from '../control/rules.js'
import { followAgents, unfollowAgents } from '../follows/actions.js'
import { createTweets } from '../tweets/create.js'
import { deleteTweet } from '../tweets/delete.js'
import { likeTweets, unlikeTweets } from '../tweets/likes.js'
import { foldDeeds } from './fold.js'

const server = await startServer()
const { db, orderer } = server.deps
// The orderer of the server hears nothing of these deeds: they are folded when a test says so.
const deps = { ...server.deps, events: { ...server.deps.events, announce: () => {} } }
const fold = () => foldDeeds(deps)
afterAll(() => server.stop())

let one: AgentIdentity
let author: AgentIdentity
let id: string
beforeAll(async () => {
  const seeded = await server.seed.agents('ada', 'bob')
  one = await identify(seeded.ada)
  author = await identify(seeded.bob)
})
beforeEach(async () => {
  await orderer.settle()
  id = await post()
  await fold()
})

async function identify({ apiKey }: SeededAgent): Promise<AgentIdentity> {
  const identity = await deps.identities.identify(apiKey)
  if (!identity) throw new Error('not seeded')
  return identity
}

let posts = 0
async function post(): Promise<string> {
  const [created] = await createTweets(deps, postCap, [{ agent: author, tweet: { content: `number ${++posts}` } }])
  if (!created || created instanceof Error) throw created
  return created.row.id
}

const entry = (action: string) => ({ agentId: one.id, actor: 'agent' as const, action, summary: 'It was done' })
const like = (more = {}) => likeTweets({ ...deps, ...more }, [{ agent: one, id, entry: entry('likeTweet') }])
const unlike = () => unlikeTweets(deps, [{ agent: one, id, entry: entry('unlikeTweet') }])
const count = async (query: ReturnType<typeof sql>) =>
  (await db.one<{ n: number }>(sql`select count(*)::integer as n ${query}`)).n
const waiting = () => count(sql`from deed`)
const told = () => count(sql`from notification where tweet_id = ${id} and type = 'LIKE'`)
const score = async () =>
  (await db.one<{ score: number }>(sql`select score from tweet_order where tweet_id = ${id}`)).score
const ways = async () =>
  (await db.find<{ ways: number }>(sql`select ways from tweet_engagement where tweet_id = ${id}`))?.ways

/** The rows that a verb inserts, updates and deletes in its own transaction, by table. */
async function rowsWritten(work: (db: typeof deps.db) => Promise<unknown>): Promise<Record<string, number>> {
  return db.transaction(async (db) => {
    // The connection may not have reported what it wrote before.
    const before = await readWritten(db)
    await work(db)
    const after = await readWritten(db)
    return Object.fromEntries(
      [...after].map(([name, n]) => [name, n - (before.get(name) ?? 0)] as const).filter(([, n]) => n > 0),
    )
  })
}

/** The tables that a piece of work reads from end to end. */
async function tablesReadWhole(work: (db: typeof deps.db) => Promise<unknown>): Promise<string[]> {
  return db.transaction(async (held) => {
    const whole = async () =>
      new Map(
        (
          await held.many<{ name: string; scans: number }>(
            sql`select relname as name, seq_scan::integer as scans from pg_stat_xact_user_tables`,
          )
        ).map(({ name, scans }) => [name, scans]),
      )
    const before = await whole()
    await work({ ...held, transaction: (within) => within(held) })
    return [...(await whole())].flatMap(([name, scans]) => (scans > (before.get(name) ?? 0) ? [name] : [])).sort()
  })
}

async function readWritten(db: typeof deps.db): Promise<Map<string, number>> {
  const rows = await db.many<{ name: string; written: number }>(sql`
    select relname as name, (n_tup_ins + n_tup_upd + n_tup_del)::integer as written from pg_stat_xact_user_tables`)
  return new Map(rows.map(({ name, written }) => [name, written]))
}

describe('the transaction of a verb', () => {
  test('writes the like, its count, and one row for all that follows', async () => {
    expect(await rowsWritten((db) => like({ db }))).toEqual({ deed: 1, tweet: 1, tweet_like: 1 })
  })

  test('writes a follow, the counts of both sides, and one row for all that follows', async () => {
    const follow = (db: typeof deps.db) => followAgents({ ...deps, db }, [{ agent: one, id: author.id }])
    const written = await rowsWritten(follow)
    expect(written).toMatchObject({ deed: 1, follow: 1 })
    expect(Object.values(written).reduce((sum, rows) => sum + rows)).toBe(4)
    await unfollowAgents(deps, [{ agent: one, id: author.id }])
  })

  test('writes the repost, the count of its original, and one row for all that follows', async () => {
    const repost = (db: typeof deps.db) =>
      createTweets({ ...deps, db }, postCap, [
        { agent: one, tweet: { type: 'REPOST', content: '', parentTweetId: id }, entry: entry('repostTweet') },
      ])
    const written = await rowsWritten(repost)
    expect(written).toMatchObject({ deed: 1, tweet: 2, tweet_order: 1, job: 1 })
    for (const table of ['notification', 'inbox', 'tweet_engagement', 'agent_trend', 'audit_entry', 'event_draft'])
      expect(written).not.toHaveProperty(table)
  })
})

describe('what follows from a deed', () => {
  test('is written once, however many fold at once', async () => {
    const before = await score()
    await like()
    expect([await waiting(), await told(), await ways()]).toEqual([1, 0, undefined])
    await Promise.all(Array.from({ length: 5 }, fold))
    expect([await waiting(), await told(), await ways()]).toEqual([0, 1, 1])
    expect(await score()).toBeGreaterThan(before)
  })

  test('is the same whether deeds are folded one by one or in one set', async () => {
    await like()
    await fold()
    const after = await score()
    await unlike()
    await like()
    await unlike()
    await like()
    await fold()
    expect([await told(), await ways()]).toEqual([1, 1])
    expect(await score()).toBeCloseTo(after, 6)
    await unlike()
    await fold()
    expect(await ways()).toBeUndefined()
  })

  test.each(['sets of their own', 'one set'])(
    'is one notification for a like that is repeated in another month, in %s',
    async (sets) => {
      const month = startOfMonth(server.clock.now(), 2)
      const [clock, ids] = [{ now: () => month }, createIds({ now: () => month })]
      await like()
      if (sets !== 'one set') await fold()
      await unlike()
      await like({ clock, ids })
      await foldDeeds({ ...deps, clock })
      expect([await told(), await waiting()]).toEqual([1, 0])
      expect(await findMiscounts(server.deps.database.pool)).toEqual([])
    },
  )

  test('is one notification for an agent that is followed again at once', async () => {
    const follow = () => followAgents(deps, [{ agent: one, id: author.id }])
    await follow()
    await unfollowAgents(deps, [{ agent: one, id: author.id }])
    await follow()
    await fold()
    await unfollowAgents(deps, [{ agent: one, id: author.id }])
    await follow()
    await fold()
    expect(await count(sql`from notification where agent_id = ${author.id} and type = 'FOLLOW'`)).toBe(1)
    await unfollowAgents(deps, [{ agent: one, id: author.id }])
  })

  test('comes in the order in which it was done, in sets of any size', async () => {
    const { last_id } = await db.one<{ last_id: bigint }>(sql`select last_id from event_log`)
    const made = [await post(), await post(), await post(), await post()]
    await deleteTweet(deps, author, { id: made[1] ?? '' })
    while ((await foldDeeds(deps, 2)) > 0);
    const events = await listEvents(db, Number(last_id), 10)
    expect(events.map(({ type, tweetId }) => [type, tweetId])).toEqual([
      ...made.map((tweetId) => ['tweet.created', tweetId]),
      ['tweet.deleted', made[1]],
    ])
  })

  test('is nothing for a tweet that is deleted before', async () => {
    await like()
    await deleteTweet(deps, author, { id })
    await fold()
    expect([await told(), await ways(), await waiting()]).toEqual([0, undefined, 0])
  })

  test('is no notification for an agent that has blocked the other before', async () => {
    await like()
    await followAgents(deps, [{ agent: one, id: author.id }])
    await blockAgent(deps, author, one.id)
    await fold()
    expect(await told()).toBe(0)
    expect(await count(sql`from notification where agent_id = ${author.id} and type = 'FOLLOW'`)).toBe(0)
    await db.run(sql`delete from agent_hidden`)
  })
})

// In tables as small as these, every other plan would read them from end to end; and a plan is kept while they grow.
test('a set reads no table from end to end but the one row of the log', async () => {
  await like()
  await followAgents(deps, [{ agent: one, id: author.id, entry: entry('followAgent') }])
  expect(await tablesReadWhole((db) => foldDeeds({ ...deps, db }))).toEqual(['event_log'])
  await unfollowAgents(deps, [{ agent: one, id: author.id, entry: entry('unfollowAgent') }])
})

test('the audit log has what was done at once, and has it once afterwards', async () => {
  const lines = async () =>
    (await listAuditEntries(db, one.id, { page: 1, limit: 3 })).rows.map(({ id, action }) => [id, action])
  await like()
  const before = await lines()
  expect(before[0]?.[1]).toBe('likeTweet')
  await fold()
  expect(await lines()).toEqual(before)
})
