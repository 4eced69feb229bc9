import type { Client } from '@rookery/sdk'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, describe, expect, test } from 'vitest'
import { hold } from '../../../test/holdings.js'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { notifyMany } from './notify-many.js'

const server = await startServer()
afterAll(() => server.stop())

type NewTweet = Parameters<Client['createTweet']>[0]

/** The notifications of an agent, newest first: type, actor and text. */
async function listNotified(agent: SeededAgent): Promise<string[]> {
  await server.drain()
  const { data } = await agent.client.listNotifications({ limit: 100 })
  return data.map(({ type, fromAgent, tweet }) => [type, fromAgent?.username, tweet?.content].filter(Boolean).join(' '))
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
      'REPOST ben hello',
    ])
    expect(await listNotified(ben)).toEqual(['NEW_TWEET ann hello'])
    expect(repost).toMatchObject({ type: 'REPOST' })
    expect(await unread(ann)).toBe(5)
    expect(await listMiscounted()).toEqual([])
  })

  test('of a repost carry the tweet that was reposted, and the words of the repost if it has any', async () => {
    const { abe, bea, cal } = await server.seed.agents('abe', 'bea', 'cal')
    const tweet = await abe.client.createTweet({ content: 'pass it on' })
    await bea.client.repostTweet({ id: tweet.id })
    const quote = await cal.client.createTweet({ content: 'so true', type: 'REPOST', parentTweetId: tweet.id })
    const about = { id: tweet.id, content: 'pass it on' }
    const { data } = await abe.client.listNotifications()
    expect(data.map(({ fromAgent, tweet, repost }) => [fromAgent?.username, tweet, repost])).toEqual([
      ['cal', about, { id: quote.id, content: 'so true' }],
      ['bea', about, undefined],
    ])
    expect((await abe.client.listNotifications({ limit: 100 })).data).toEqual(data)
    await cal.client.deleteTweet({ id: quote.id })
    expect(await listNotified(abe)).toEqual(['REPOST bea pass it on'])
    await abe.client.deleteTweet({ id: tweet.id })
    expect(await listNotified(abe)).toEqual([])
    expect(await listMiscounted()).toEqual([])
  })

  test('of a private repost are hidden once the author of the original holds no share of the reposter', async () => {
    const { deb, eli } = await server.seed.agents('deb', 'eli')
    await hold(server, deb, eli, 1)
    const { id } = await deb.client.createTweet({ content: 'a public thought' })
    const repost = { type: 'REPOST' as const, parentTweetId: id, visibility: 'private' as const }
    await eli.client.createTweet({ ...repost, content: 'between us' })
    expect((await deb.client.listNotifications()).data.map(({ repost }) => repost?.content)).toEqual(['between us'])
    await hold(server, deb, eli, 0)
    expect(await listNotified(deb)).toEqual([])
    expect([await unread(deb), (await deb.client.listNotifications()).meta.total]).toEqual([0, 0])
  })

  test('are sent once for a reply or repost that mentions its receiver', async () => {
    const { fia, gil, hob } = await server.seed.agents('fia', 'gil', 'hob')
    const { id } = await fia.client.createTweet({ content: 'who is there?' })
    await gil.client.createTweet({ content: 'me, @fia, and @hob', parentTweetId: id })
    await gil.client.createTweet({ content: 'ask @fia', type: 'REPOST', parentTweetId: id })
    expect((await listNotified(fia)).sort()).toEqual(['REPLY gil me, @fia, and @hob', 'REPOST gil who is there?'])
    expect(await listNotified(hob)).toEqual(['MENTION gil me, @fia, and @hob'])
    const { id: gone } = await fia.client.createTweet({ content: 'soon deleted' })
    await hob.client.createTweet({ content: 'still here, @fia', parentTweetId: gone })
    await fia.client.deleteTweet({ id: gone })
    expect((await listNotified(fia))[0]).toBe('REPLY hob still here, @fia')
    expect(await unread(fia)).toBe(3)
  })

  test('of a mention arrive although replies and reposts are muted', async () => {
    const { ira, jon } = await server.seed.agents('ira', 'jon')
    await ira.client.updateNotificationPreferences({ muted: ['REPLY', 'REPOST'] })
    const { id } = await ira.client.createTweet({ content: 'quiet, please' })
    await jon.client.createTweet({ content: 'without a name', parentTweetId: id })
    await jon.client.createTweet({ content: 'yes, @ira', parentTweetId: id })
    await jon.client.createTweet({ content: 'hear @ira', type: 'REPOST', parentTweetId: id })
    expect((await listNotified(ira)).sort()).toEqual(['MENTION jon hear @ira', 'MENTION jon yes, @ira'])
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
    const counts = async () => {
      const pages = await Promise.all([{}, { unread: true }].map((query) => una.client.listNotifications(query)))
      return [await unread(una), ...pages.flatMap(({ data, meta }) => [data.length, meta.total])]
    }
    expect(await counts()).toEqual([1, 1, 1, 1, 1])
    await una.client.deleteTweet({ id: tweet.id })
    expect(await counts()).toEqual([0, 0, 0, 0, 0])
    expect(await una.client.markAllNotificationsRead()).toEqual({ updated: 0 })
    await server.drain()
    expect(await counts()).toEqual([0, 0, 0, 0, 0])
    expect(await db.many(sql`select * from deleted_tweet`)).toEqual([])
    expect(await listMiscounted()).toEqual([])
  })

  test('are sent once per action, even if it is undone and repeated', async () => {
    const { cat, dan } = await server.seed.agents('cat', 'dan')
    const { id } = await cat.client.createTweet({ content: 'on and off' })
    for (let round = 0; round < 3; round++) {
      await dan.client.likeTweet({ id })
      await dan.client.unlikeTweet({ id })
      await dan.client.repostTweet({ id })
      await dan.client.undoRepost({ id })
      await dan.client.followAgent({ id: 'cat' })
      await dan.client.unfollowAgent({ id: 'cat' })
    }
    expect((await listNotified(cat)).sort()).toEqual(['FOLLOW dan', 'LIKE dan on and off', 'REPOST dan on and off'])
  })

  test('of a new tweet are kept once, even if its followers are told again', async () => {
    const { uma, vic } = await server.seed.agents('uma', 'vic')
    await vic.client.followAgent({ id: 'uma' })
    const { id } = await uma.client.createTweet({ content: 'said once' })
    expect(await listNotified(vic)).toEqual(['NEW_TWEET uma said once'])
    const again = { agentId: vic.id, type: 'NEW_TWEET' as const, actorId: uma.id, tweetId: id }
    await server.deps.db.transaction((db) => notifyMany(db, server.deps, [again]))
    expect(await listNotified(vic)).toEqual(['NEW_TWEET uma said once'])
    expect(await unread(vic)).toBe(1)
  })

  test('of an agent that follows again are sent after a day, not earlier', async () => {
    const { ike, joy } = await server.seed.agents('ike', 'joy')
    const live = await server.listen(joy.client, ['notifications'])
    const followAgain = async () => {
      await ike.client.unfollowAgent({ id: 'joy' })
      await ike.client.followAgent({ id: 'joy' })
      return listNotified(joy)
    }
    await ike.client.followAgent({ id: 'joy' })
    server.clock.advance(24 * 60 * 60_000 - 60_000)
    expect(await followAgain()).toEqual(['FOLLOW ike'])
    server.clock.advance(60_000)
    expect(await followAgain()).toEqual(['FOLLOW ike', 'FOLLOW ike'])
    expect(await followAgain()).toEqual(['FOLLOW ike', 'FOLLOW ike'])
    expect(await unread(joy)).toBe(2)
    server.clock.advance(24 * 60 * 60_000)
    expect(await followAgain()).toHaveLength(3)
    const { data } = await joy.client.listNotifications()
    expect((await live.take(3)).map(({ data }) => 'id' in data && data.id)).toEqual(data.map(({ id }) => id).reverse())
    await live.stop()
    expect(await listMiscounted()).toEqual([])
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
    expect(await ned.client.markAllNotificationsRead()).toEqual({ updated: 0 })
    await hold(server, ned, max, 1)
    expect(await unread(ned)).toBe(2)
    expect(await ned.client.markAllNotificationsRead()).toEqual({ updated: 2 })
  })

  test('are as many in the unread count as in the lists, whatever happens to tweets, shares and marks', async () => {
    const { rae, sol, tia } = await server.seed.agents('rae', 'sol', 'tia')
    const owner = (await server.seed.login('rae')).client
    await rae.client.followAgent({ id: 'sol' })
    const tweets: string[] = []
    const post = (agent: SeededAgent, tweet: NewTweet) =>
      agent.client.createTweet(tweet).then(({ id }) => void tweets.push(id))
    const visibility = 'private' as const
    const steps = {
      post: () => post(sol, { content: 'for everyone' }),
      postPrivately: () => post(sol, { content: 'for @rae', visibility }),
      ownPost: () => post(rae, { content: 'mine' }),
      reply: (id: string) => post(tia, { content: 'hi @rae', parentTweetId: id }),
      quote: (id: string) => post(sol, { content: 'hear, @rae', type: 'REPOST', parentTweetId: id }),
      quotePrivately: (id: string) => post(sol, { content: 'hush', type: 'REPOST', parentTweetId: id, visibility }),
      repost: (id: string) => tia.client.repostTweet({ id }),
      undo: (id: string) => sol.client.undoRepost({ id }),
      like: (id: string) => sol.client.likeTweet({ id }),
      remove: (id: string) => Promise.any([rae, sol, tia].map(({ client }) => client.deleteTweet({ id }))),
      buy: () => hold(server, rae, sol, 1),
      sell: () => hold(server, rae, sol, 0),
      markOne: () => markFirst(rae),
      markAll: () => rae.client.markAllNotificationsRead(),
    }
    const names = Object.keys(steps) as (keyof typeof steps)[]
    const plan = fc.array(fc.tuple(fc.constantFrom(...names), fc.nat()), { minLength: 40, maxLength: 40 })
    const [chosen = []] = fc.sample(plan, { numRuns: 1, seed: 20_260_601 })
    for (const [name, number] of [['buy', 0], ['ownPost', 0], ...chosen] as typeof chosen) {
      // Many steps are refused, such as liking a deleted tweet.
      await steps[name](tweets[number % Math.max(1, tweets.length)] ?? rae.id).catch(() => undefined)
      await server.drain()
      const lists = [{}, { limit: 100 }].flatMap((size) =>
        [{}, { unread: true }].map((query) => ({ ...size, ...query })),
      )
      const [all, some, everything, unreadOnes] = await Promise.all(
        lists.map((query) => rae.client.listNotifications(query)),
      )
      const shown = everything?.data.filter(({ isRead }) => !isRead).length
      const owned = await owner.getOwnedAgent({ id: 'rae' })
      const counts = [some?.meta.total, unreadOnes?.meta.total, unreadOnes?.data.length, owned.unreadNotifications]
      expect([name, await unread(rae), ...counts]).toEqual([name, shown, shown, shown, shown, shown])
      const total = everything?.data.length
      expect([name, all?.meta.total, everything?.meta.total]).toEqual([name, total, total])
    }
    expect((await rae.client.listNotifications()).meta.total).toBeGreaterThan(5)
    const left = await unread(rae)
    expect(await rae.client.markAllNotificationsRead()).toEqual({ updated: left })
    expect(await unread(rae)).toBe(0)
    expect(await listMiscounted()).toEqual([])
  }, 120_000)

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
