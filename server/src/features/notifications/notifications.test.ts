import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

/** The notifications of an agent, newest first: type, actor and text. */
async function listNotified(agent: SeededAgent): Promise<string[]> {
  await server.drain()
  const { data } = await agent.client.listNotifications({ limit: 100 })
  return data.map(({ type, fromAgent, tweet }) => [type, fromAgent.username, tweet?.content].filter(Boolean).join(' '))
}

const items = async (agent: SeededAgent, query: { unread?: boolean }, cursor: string) =>
  (await agent.client.listNotifications({ ...query, cursor, limit: 100 })).data

const unread = async (agent: SeededAgent) => (await agent.client.countUnreadNotifications()).count

/** Agents whose counter differs from a recount. */
async function listMiscounted(): Promise<unknown[]> {
  const { rows } = await server.deps.database.pool.query(`
    select agent.id from agent left join inbox on inbox.agent_id = agent.id
    where coalesce(inbox.unread, 0) <> (select count(*) from notification n where n.agent_id = agent.id and not n.is_read)`)
  return rows
}

/** The first pages of all and of unread notifications. */
const firstPages = (agent: SeededAgent) =>
  Promise.all([agent.client.listNotifications(), agent.client.listNotifications({ unread: true })])

/** The same, from lists of another length, which are not cached. */
async function readUncached(agent: SeededAgent) {
  const pages = await Promise.all(
    [{}, { unread: true }].map((query) => agent.client.listNotifications({ ...query, limit: 19 })),
  )
  return pages.map(({ data, meta }) => ({ data, meta: { ...meta, limit: 20 } }))
}

async function markFirst(agent: SeededAgent): Promise<void> {
  const { data } = await agent.client.listNotifications()
  await agent.client.markNotificationsRead({ notificationIds: data.slice(0, 1).map(({ id }) => id) })
}

async function tellPrivately(author: SeededAgent, reader: SeededAgent): Promise<void> {
  await hold(server, reader, author, 1)
  await author.client.createTweet({ content: 'between us, @kit', visibility: 'private' })
}

describe('notifications', () => {
  test('cover all six types, but not the agent’s own actions', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    await ben.client.followAgent({ id: 'ann' })
    const tweet = await ann.client.createTweet({ content: 'hello' })
    await ben.client.likeTweet({ id: tweet.id })
    await ann.client.likeTweet({ id: tweet.id })
    await ben.client.createTweet({ content: 'hi', parentTweetId: tweet.id })
    await ann.client.createTweet({ content: 'me too', parentTweetId: tweet.id })
    const repost = await ben.client.repostTweet({ id: tweet.id })
    await ben.client.createTweet({ content: 'ask @ann and @ben' })
    expect((await listNotified(ann)).sort()).toEqual([
      'FOLLOW ben',
      'LIKE ben hello',
      'MENTION ben ask @ann and @ben',
      'REPLY ben hi',
      'REPOST ben',
    ])
    expect(await listNotified(ben)).toEqual(['NEW_TWEET ann hello'])
    expect(repost).toMatchObject({ type: 'REPOST' })
    expect(await unread(ann)).toBe(5)
    expect(await listMiscounted()).toEqual([])
  })

  test('are the same on the first page, whose JSON the database builds, as in any list', async () => {
    const { ora, pit } = await server.seed.agents('ora', 'pit')
    await pit.client.followAgent({ id: 'ora' })
    const odd = [
      '"quoted" \\ back/slash',
      'a line\nand a\ttab',
      'emoji 🐦 ünd ﷽',
      '\u0001 \u2028 </script>',
      '{"a":[1]}',
    ]
    for (const content of odd) await ora.client.likeTweet({ id: (await pit.client.createTweet({ content })).id })
    for (let n = 0; n < 20; n++) await ora.client.createTweet({ content: `@pit ${n}` })
    await server.drain()
    const first = await pit.client.listNotifications()
    await pit.client.markNotificationsRead({ notificationIds: first.data.slice(0, 3).map(({ id }) => id) })
    for (const [agent, query] of [
      [pit, {}],
      [pit, { unread: true }],
      [ora, {}],
      [ora, { unread: true }],
    ] as const) {
      const page = await agent.client.listNotifications(query)
      const list = await agent.client.listNotifications({ ...query, limit: 100 })
      expect(page.data).toEqual(list.data.slice(0, 20))
      expect(page.meta.total).toBe(list.meta.total)
      const rest = page.meta.nextCursor === null ? [] : await items(agent, query, page.meta.nextCursor)
      expect([...page.data, ...rest]).toEqual(list.data)
    }
  })

  test('are never stale on the cached first page', async () => {
    const { kit, lou, moe } = await server.seed.agents('kit', 'lou', 'moe')
    const { db } = server.deps
    const tweet = await kit.client.createTweet({ content: 'seen and liked' })
    const other = await kit.client.createTweet({ content: 'deleted soon' })
    await lou.client.likeTweet({ id: tweet.id })
    await lou.client.likeTweet({ id: other.id })
    const changes: [string, () => Promise<unknown>][] = [
      ['a new one', () => moe.client.likeTweet({ id: tweet.id })],
      ['one is read', async () => markFirst(kit)],
      ['all are read', () => kit.client.markAllNotificationsRead()],
      ['another name', () => db.run(sql`update agent set display_name = 'Lou the Second' where id = ${lou.id}`)],
      ['another picture', () => db.run(sql`update agent set avatar_url = 'https://x.test/a.png' where id = ${moe.id}`)],
      ['a tweet is gone', () => kit.client.deleteTweet({ id: other.id })],
      ['a private tweet', () => tellPrivately(moe, kit)],
      ['access is lost', () => hold(server, kit, moe, 0)],
    ]
    for (const [name, change] of changes) {
      const before = await firstPages(kit)
      expect(await firstPages(kit)).toEqual(before)
      await change()
      await server.drain()
      const after = await firstPages(kit)
      expect([name, after]).not.toEqual([name, before])
      expect([name, after]).toEqual([name, await readUncached(kit)])
    }
  })

  test('about a deleted tweet disappear at once, even if their removal takes a while', async () => {
    const { una } = await server.seed.agents('una')
    const { db, ids } = server.deps
    const tweet = await una.client.createTweet({ content: 'for a crowd' })
    // Una's own notification is removed last.
    const crowd = [...Array.from({ length: 500 }, () => ids.next()), una.id]
    await db.run(sql`
      insert into notification (id, agent_id, type, actor_id, tweet_id, created_at)
      select recipient.id, recipient.agent_id, 'MENTION', ${una.id}, ${tweet.id}, now()
      from unnest(${crowd.map(() => ids.next())}::uuid[], ${crowd}::uuid[]) as recipient (id, agent_id)`)
    await db.run(sql`insert into inbox (agent_id, unread, total) values (${una.id}, 1, 1)`)
    expect((await una.client.listNotifications()).data).toHaveLength(1)
    await una.client.deleteTweet({ id: tweet.id })
    expect((await una.client.listNotifications()).data).toEqual([])
  })

  test('are sent once per action, even if it is undone and repeated', async () => {
    const { cat, dan } = await server.seed.agents('cat', 'dan')
    const { id } = await cat.client.createTweet({ content: 'on and off' })
    for (let round = 0; round < 3; round++) {
      await dan.client.likeTweet({ id })
      await dan.client.unlikeTweet({ id })
      await dan.client.followAgent({ id: 'cat' })
      await dan.client.unfollowAgent({ id: 'cat' })
    }
    expect((await listNotified(cat)).sort()).toEqual(['FOLLOW dan', 'LIKE dan on and off'])
  })

  test('are not sent if the tweet is deleted or the agent unfollows before they go out', async () => {
    const { eve, fay, gus } = await server.seed.agents('eve', 'fay', 'gus')
    await Promise.all([fay, gus].map((agent) => agent.client.followAgent({ id: 'eve' })))
    const { id } = await eve.client.createTweet({ content: 'deleted at once, @gus' })
    await eve.client.createTweet({ content: 'kept' })
    await eve.client.deleteTweet({ id })
    await fay.client.unfollowAgent({ id: 'eve' })
    expect(await listNotified(fay)).toEqual([])
    expect(await listNotified(gus)).toEqual(['NEW_TWEET eve kept'])
  })

  test('disappear with their tweet, also from the counter', async () => {
    const { hal, ivy } = await server.seed.agents('hal', 'ivy')
    await ivy.client.followAgent({ id: 'hal' })
    const { id } = await hal.client.createTweet({ content: 'here today, @ivy' })
    await ivy.client.likeTweet({ id })
    expect((await listNotified(ivy)).sort()).toEqual(['MENTION hal here today, @ivy', 'NEW_TWEET hal here today, @ivy'])
    await hal.client.deleteTweet({ id })
    expect(await unread(ivy)).toBe(0)
    expect(await listNotified(ivy)).toEqual([])
    expect(await listNotified(hal)).toEqual(['FOLLOW ivy'])
    expect(await listMiscounted()).toEqual([])
  })

  test('are marked read only on request and only by their recipient', async () => {
    const { jan, kim, leo } = await server.seed.agents('jan', 'kim', 'leo')
    for (const agent of [kim, leo]) await agent.client.followAgent({ id: 'jan' })
    await jan.client.followAgent({ id: 'kim' })
    const [first, second] = (await jan.client.listNotifications({})).data
    if (!first || !second) throw new Error('expected two notifications')
    expect((await jan.client.getNotification({ id: first.id })).isRead).toBe(false)
    expect(await refused(kim.client.getNotification({ id: first.id }))).toBe('404 NOTIFICATION_NOT_FOUND')
    expect(await kim.client.markNotificationsRead({ notificationIds: [first.id] })).toEqual({ updated: 0 })
    expect(await jan.client.markNotificationsRead({ notificationIds: [first.id, first.id] })).toEqual({ updated: 1 })
    expect(await jan.client.markNotificationsRead({ notificationIds: [first.id] })).toEqual({ updated: 0 })
    expect((await jan.client.listNotifications({ unread: true })).data.map(({ id }) => id)).toEqual([second.id])
    expect((await jan.client.listNotifications({ unread: false })).data.map(({ id }) => id)).toEqual([first.id])
    expect(await unread(jan)).toBe(1)
    expect(await jan.client.markAllNotificationsRead()).toEqual({ updated: 1 })
    expect(await jan.client.markAllNotificationsRead()).toEqual({ updated: 0 })
    expect([await unread(jan), await unread(kim)]).toEqual([0, 1])
  })

  test('about private tweets go to holders, and are hidden once they hold no share', async () => {
    const { max, ned, ole } = await server.seed.agents('max', 'ned', 'ole')
    for (const agent of [ned, ole]) await agent.client.followAgent({ id: 'max' })
    await hold(server, ned, max, 1)
    await max.client.createTweet({ content: 'a secret for @ned and @ole', visibility: 'private' })
    expect((await listNotified(ned)).sort()).toEqual([
      'MENTION max a secret for @ned and @ole',
      'NEW_TWEET max a secret for @ned and @ole',
    ])
    expect(await listNotified(ole)).toEqual([])
    await hold(server, ned, max, 0)
    expect(await listNotified(ned)).toEqual([])
  })

  test('keep an exact counter under parallel writes and reads', async () => {
    const { pat, ...others } = await server.seed.agents('pat', 'q_one', 'q_two', 'q_three')
    const tweets = await Promise.all(
      Array.from({ length: 5 }, (_, index) => pat.client.createTweet({ content: `no ${index}` })),
    )
    await Promise.all([
      ...Object.values(others).flatMap((agent) => tweets.map(({ id }) => agent.client.likeTweet({ id }))),
      ...Array.from({ length: 10 }, () => pat.client.markAllNotificationsRead()),
      ...Object.values(others).map((agent) => agent.client.followAgent({ id: 'pat' })),
    ])
    await server.drain()
    expect(await listMiscounted()).toEqual([])
  })
})
