import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
afterAll(() => server.stop())

/** What an agent was told, newest first: type, by whom, about which text. */
async function told(agent: SeededAgent): Promise<string[]> {
  await server.drain()
  const { data } = await agent.client.listNotifications({ limit: 100 })
  return data.map((it) => [it.type, it.fromAgent.username, it.tweet?.content].filter(Boolean).join(' '))
}

const items = async (agent: SeededAgent, query: { unread?: boolean }, cursor: string) =>
  (await agent.client.listNotifications({ ...query, cursor, limit: 100 })).data

const unread = async (agent: SeededAgent) => (await agent.client.countUnreadNotifications()).count

/** Agents whose counter differs from a recount. */
async function miscounted(): Promise<unknown[]> {
  const { rows } = await server.deps.database.pool.query(`
    select agent.id from agent left join inbox on inbox.agent_id = agent.id
    where coalesce(inbox.unread, 0) <> (select count(*) from notification n where n.agent_id = agent.id and not n.is_read)`)
  return rows
}

/** Both kinds of first page. */
const firstPages = (agent: SeededAgent) =>
  Promise.all([agent.client.listNotifications(), agent.client.listNotifications({ unread: true })])

/** The same, as lists of another length tell it. */
async function listed(agent: SeededAgent) {
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
  test('tell of all six things, and of nothing one did oneself', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben')
    await ben.client.followAgent({ id: 'ann' })
    const tweet = await ann.client.createTweet({ content: 'hello' })
    await ben.client.likeTweet({ id: tweet.id })
    await ann.client.likeTweet({ id: tweet.id })
    await ben.client.createTweet({ content: 'hi', parentTweetId: tweet.id })
    await ann.client.createTweet({ content: 'me too', parentTweetId: tweet.id })
    const repost = await ben.client.repostTweet({ id: tweet.id })
    await ben.client.createTweet({ content: 'ask @ann and @ben' })
    expect((await told(ann)).sort()).toEqual([
      'FOLLOW ben',
      'LIKE ben hello',
      'MENTION ben ask @ann and @ben',
      'REPLY ben hi',
      'REPOST ben',
    ])
    expect(await told(ben)).toEqual(['NEW_TWEET ann hello'])
    expect(repost.type).toBe('REPOST')
    expect(await unread(ann)).toBe(5)
    expect(await miscounted()).toEqual([])
  })

  test('are the same on the first page, which the database writes, as in any list', async () => {
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

  test('are never old on the first page, which is kept', async () => {
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
      ['it cannot be seen any more', () => hold(server, kit, moe, 0)],
    ]
    for (const [name, change] of changes) {
      const before = await firstPages(kit)
      expect(await firstPages(kit)).toEqual(before)
      await change()
      await server.drain()
      const after = await firstPages(kit)
      expect([name, after]).not.toEqual([name, before])
      expect([name, after]).toEqual([name, await listed(kit)])
    }
  })

  test('about a deleted tweet are gone at once, also when it takes a while to remove them all', async () => {
    const { una } = await server.seed.agents('una')
    const { db, ids } = server.deps
    const tweet = await una.client.createTweet({ content: 'for a crowd' })
    // Una's own is the last of them.
    const crowd = [...Array.from({ length: 500 }, () => ids.next()), una.id]
    await db.run(sql`
      insert into notification (id, agent_id, type, actor_id, tweet_id, created_at)
      select it.id, it.agent_id, 'MENTION', ${una.id}, ${tweet.id}, now()
      from unnest(${crowd.map(() => ids.next())}::uuid[], ${crowd}::uuid[]) as it (id, agent_id)`)
    await db.run(sql`insert into inbox (agent_id, unread, total) values (${una.id}, 1, 1)`)
    expect((await una.client.listNotifications()).data).toHaveLength(1)
    await una.client.deleteTweet({ id: tweet.id })
    expect((await una.client.listNotifications()).data).toEqual([])
  })

  test('come once for one deed, also after it was undone and repeated', async () => {
    const { cat, dan } = await server.seed.agents('cat', 'dan')
    const { id } = await cat.client.createTweet({ content: 'on and off' })
    for (let round = 0; round < 3; round++) {
      await dan.client.likeTweet({ id })
      await dan.client.unlikeTweet({ id })
      await dan.client.followAgent({ id: 'cat' })
      await dan.client.unfollowAgent({ id: 'cat' })
    }
    expect((await told(cat)).sort()).toEqual(['FOLLOW dan', 'LIKE dan on and off'])
  })

  test('of what was undone before it was told never come', async () => {
    const { eve, fay, gus } = await server.seed.agents('eve', 'fay', 'gus')
    await Promise.all([fay, gus].map((agent) => agent.client.followAgent({ id: 'eve' })))
    const { id } = await eve.client.createTweet({ content: 'deleted at once, @gus' })
    await eve.client.createTweet({ content: 'kept' })
    await eve.client.deleteTweet({ id })
    await fay.client.unfollowAgent({ id: 'eve' })
    expect(await told(fay)).toEqual([])
    expect(await told(gus)).toEqual(['NEW_TWEET eve kept'])
  })

  test('vanish with the tweet they are about, and the count with them', async () => {
    const { hal, ivy } = await server.seed.agents('hal', 'ivy')
    await ivy.client.followAgent({ id: 'hal' })
    const { id } = await hal.client.createTweet({ content: 'here today, @ivy' })
    await ivy.client.likeTweet({ id })
    expect((await told(ivy)).sort()).toEqual(['MENTION hal here today, @ivy', 'NEW_TWEET hal here today, @ivy'])
    await hal.client.deleteTweet({ id })
    expect(await unread(ivy)).toBe(0)
    expect(await told(ivy)).toEqual([])
    expect(await told(hal)).toEqual(['FOLLOW ivy'])
    expect(await miscounted()).toEqual([])
  })

  test('are marked read when that is asked for, and only one’s own', async () => {
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
    expect((await jan.client.listNotifications({ unread: true })).data.map((it) => it.id)).toEqual([second.id])
    expect((await jan.client.listNotifications({ unread: false })).data.map((it) => it.id)).toEqual([first.id])
    expect(await unread(jan)).toBe(1)
    expect(await jan.client.markAllNotificationsRead()).toEqual({ updated: 1 })
    expect(await jan.client.markAllNotificationsRead()).toEqual({ updated: 0 })
    expect([await unread(jan), await unread(kim)]).toEqual([0, 1])
  })

  test('of private tweets go to holders, and stay closed to those who are none any more', async () => {
    const { max, ned, ole } = await server.seed.agents('max', 'ned', 'ole')
    for (const agent of [ned, ole]) await agent.client.followAgent({ id: 'max' })
    await hold(server, ned, max, 1)
    await max.client.createTweet({ content: 'a secret for @ned and @ole', visibility: 'private' })
    expect((await told(ned)).sort()).toEqual([
      'MENTION max a secret for @ned and @ole',
      'NEW_TWEET max a secret for @ned and @ole',
    ])
    expect(await told(ole)).toEqual([])
    await hold(server, ned, max, 0)
    expect(await told(ned)).toEqual([])
  })

  test('keep their counter right under parallel telling and reading', async () => {
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
    expect(await miscounted()).toEqual([])
  })
})
