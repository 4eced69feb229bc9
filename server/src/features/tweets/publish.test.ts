import sql, { raw } from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { recordingDb } from '../../../test/statements/record.js'
import { createWorker, type JobHandlers } from '../../foundation/jobs/worker.js'
import { createJobHandlers } from '../../start/job-handlers.js'
import { tweetBackfills } from './backfills.js'
import { BANDS } from './sketch.js'
import { restoreTweets, withholdTweets } from './withhold.js'

const server = await startServer()
const { deps, features } = server
const { db, clock, queue } = deps
afterAll(() => server.stop())

let ann: SeededAgent
let ben: SeededAgent
let cat: SeededAgent
beforeAll(async () => {
  ;({ ann, ben, cat } = await server.seed.agents('ann', 'ben', 'cat'))
  await ben.client.followAgent({ id: 'ann' })
  await cat.client.followAgent({ id: 'ann' })
})
beforeEach(() => server.drain())

const say = async (content: string, author = ann) => (await author.client.createTweet({ content })).id

const embed_tweet: JobHandlers['embed_tweet'] = async (job) => void (await job.takeMore(100))

function newWorker(handlers: Partial<JobHandlers>, sent: string[] = []) {
  const noted = recordingDb(db, sent)
  const all = { ...createJobHandlers({ ...deps, db: noted }, features), embed_tweet, ...handlers }
  return createWorker({ db: noted, clock, queue, handlers: all, lanes: 1, onError: () => {} })
}

const dampingOf = async (id: string) =>
  (await db.one<{ damping: number }>(sql`select damping from tweet_order where tweet_id = ${id}`)).damping

interface NotificationEvent {
  readonly tweet_id: string
  readonly type: string
  readonly recipients: string[]
}

/** The notification events with recipients, whether or not they have a sequence number yet. */
const listEvents = () =>
  db.many<NotificationEvent>(sql`
    select tweet_id, data->>'type' as type, recipients::text[] as recipients from event
    where type = 'notification.created' and recipients is not null
    union all select tweet_id, data->>'type', recipients::text[] from event_draft
    where type = 'notification.created' and recipients is not null`)

const listMiscounted = () =>
  db.many(sql`
    select agent.id from agent left join inbox on inbox.agent_id = agent.id
    left join (select agent_id, count(*) as unread from notification where not is_read group by agent_id) counted
      on counted.agent_id = agent.id
    where coalesce(inbox.unread, 0) <> coalesce(counted.unread, 0)`)

const listNotified = async (id: string) =>
  (
    await db.many<{ who: string }>(sql`
    select notification.type || ' ' || username as who from notification join agent on agent.id = notification.agent_id
    where tweet_id = ${id} order by who`)
  ).map(({ who }) => who)

describe('tweets', () => {
  test('are published together: twenty take as many statements as two', async () => {
    const counts: number[] = []
    for (const size of [2, 20]) {
      const ids: string[] = []
      for (let n = 0; n < size; n++) ids.push(await say(`@ben look, the ${'abcdefghijklmnopqrst'[n]}th of ${size}`))
      const sent: string[] = []
      await db.run(sql`delete from tweet_sketch`)
      await newWorker({}, sent).drain()
      counts.push(sent.length)
      for (const id of ids) expect(await listNotified(id)).toEqual(['MENTION ben', 'NEW_TWEET ben', 'NEW_TWEET cat'])
    }
    expect(counts[1]).toBe(counts[0])
    expect(await listMiscounted()).toEqual([])
  })

  test('produce one event per tweet and type, with sorted recipients', async () => {
    const ids = [await say('hello @ben, the first'), await say('something else'), await say('for @cat and @ben')]
    await server.drain()
    const followers = [ben.id, cat.id].sort()
    const events = (await listEvents()).filter(({ tweet_id }) => ids.includes(tweet_id))
    expect(events.sort((a, b) => (`${a.tweet_id} ${a.type}` < `${b.tweet_id} ${b.type}` ? -1 : 1))).toEqual([
      { tweet_id: ids[0], type: 'MENTION', recipients: [ben.id] },
      { tweet_id: ids[0], type: 'NEW_TWEET', recipients: followers },
      { tweet_id: ids[1], type: 'NEW_TWEET', recipients: followers },
      { tweet_id: ids[2], type: 'MENTION', recipients: followers },
      { tweet_id: ids[2], type: 'NEW_TWEET', recipients: followers },
    ])
  })

  test('that repeat earlier ones are damped, whether published together or one by one', async () => {
    const texts = (topic: string) => [
      `The ${topic} comes in at noon today`,
      `the ${topic} comes in at noon today!`,
      'Nobody has said this before me',
      `The ${topic} comes in at noon today, they say`,
      `The ${topic} comes in at noon today 17`,
    ]
    const together: string[] = []
    for (const text of texts('great grey tide')) together.push(await say(text))
    await server.drain()
    await db.run(sql`delete from tweet_sketch`)
    const apart: string[] = []
    for (const text of texts('great grey tide')) {
      apart.push(await say(text))
      await server.drain()
    }
    const damped = await Promise.all(together.map(dampingOf))
    expect(damped).toEqual(await Promise.all(apart.map(dampingOf)))
    expect(damped).toEqual([0, 2, 0, expect.closeTo(2 * Math.log2(3)), 4])
    await db.run(sql`delete from tweet_sketch`)
  })

  test('are compared with up to fifty earlier ones of the last six hours', async () => {
    const again = async (count: number) => {
      let last = ''
      for (let n = 0; n < count; n++) last = await say(`Again and again the same old song ${n}`)
      await server.drain()
      return dampingOf(last)
    }
    expect(await again(2)).toBe(2)
    expect(await again(2)).toBe(4)
    expect(await again(60)).toBeCloseTo(2 * Math.log2(51))
    server.clock.advance(6 * 60 * 60_000)
    expect(await again(1)).toBe(0)
  })

  test('are compared with those whose bands an older version has stored in rows of their own', async () => {
    const first = await say('The ferry leaves from the north pier at seven')
    const second = await say('Nobody swims on the last day of the regatta')
    await server.drain()
    const stored = await db.one<Record<string, string>>(sql`select * from tweet_sketch where tweet_id = ${first}`)
    for (let band = 0; band < BANDS; band++)
      await db.run(sql`
        insert into tweet_band (band, value, tweet_id) select ${band}, ${raw(`band_${band}`)}, tweet_id from tweet_sketch`)
    await db.run(sql`delete from tweet_sketch`)
    const [copying] = tweetBackfills
    const { position } = (await copying?.step(db, undefined)) ?? {}
    expect(position).toEqual({ after: second })
    expect(await copying?.step(db, position)).toBeUndefined()
    expect(await db.one(sql`select * from tweet_sketch where tweet_id = ${first}`)).toEqual(stored)
    const again = await say('The ferry leaves from the north pier at seven!')
    await server.drain()
    expect(await dampingOf(again)).toBe(2)
    await ann.client.deleteTweet({ id: first })
    expect(await db.many(sql`select from tweet_band where tweet_id = ${first}`)).toEqual([])
  })

  test('that have been deleted are skipped', async () => {
    const [gone, stays] = [await say('never mind'), await say('still here')]
    await ann.client.deleteTweet({ id: gone })
    await server.drain()
    expect([await listNotified(gone), await listNotified(stays)]).toEqual([[], ['NEW_TWEET ben', 'NEW_TWEET cat']])
    expect(await db.many(sql`select from job where kind = 'publish_tweet'`)).toEqual([])
    await ann.client.deleteTweet({ id: stays })
    expect(await db.many(sql`select from tweet_sketch where tweet_id = ${stays}`)).toEqual([])
  })

  test('that cannot be published do not hold up others', async () => {
    const [one, bad, two] = [await say('one of three'), await say('a thorn among them'), await say('the last of three')]
    const failing = {
      ...queue,
      enqueueMany: async (...[db, kind, payloads]: Parameters<typeof queue.enqueueMany>) => {
        if (payloads.some((payload) => 'id' in payload && payload.id === bad)) throw new Error('no')
        await queue.enqueueMany(db, kind, payloads)
      },
    }
    const { publish_tweet } = createJobHandlers({ ...deps, queue: failing as typeof queue }, features)
    const worker = newWorker({ publish_tweet })
    await worker.drain()
    expect(await listNotified(one)).toEqual([])
    server.clock.advance(2_000)
    await worker.drain()
    expect([await listNotified(one), await listNotified(bad), await listNotified(two)]).toEqual([
      ['NEW_TWEET ben', 'NEW_TWEET cat'],
      [],
      ['NEW_TWEET ben', 'NEW_TWEET cat'],
    ])
    server.clock.advance(60_000)
    await server.drain()
    expect(await listNotified(bad)).toEqual(['NEW_TWEET ben', 'NEW_TWEET cat'])
    expect(await listMiscounted()).toEqual([])
  })

  test('are not published again if the worker dies right after publishing them', async () => {
    const id = await say('said once')
    const { publish_tweet } = createJobHandlers(deps, features)
    const dying = newWorker({
      async publish_tweet(job) {
        await publish_tweet(job)
        return new Promise<undefined>(() => {})
      },
    })
    void dying.drain()
    await expect.poll(() => listNotified(id)).toHaveLength(2)
    expect(await db.many(sql`select from job where kind = 'publish_tweet'`)).toEqual([])
    expect(await db.many(sql`select from job where kind = 'embed_tweet'`)).toHaveLength(1)
  })

  test('whose job another worker took over are published only by that worker', async () => {
    const id = await say('whose turn is it')
    const { publish_tweet } = createJobHandlers(deps, features)
    const late = newWorker({
      async publish_tweet(job) {
        await db.run(sql`update job set lock_id = gen_random_uuid() where id = ${job.id}`)
        return publish_tweet(job)
      },
    })
    await late.drain()
    expect(await listNotified(id)).toEqual([])
    server.clock.advance(11_000)
    await server.drain()
    expect(await listNotified(id)).toHaveLength(2)
  })
})

describe('followers', () => {
  const follow = (author: SeededAgent, from: number, to: number) =>
    db.run(sql`
      with follower as (
        insert into agent (id, username, name, display_name, wallet_address, subject, created_at, updated_at)
        select gen_random_uuid(), 'f' || n, 'f', 'f', '0xf' || n, '0xf' || n, ${clock.now()}, ${clock.now()}
        from generate_series(${from}::int, ${to}::int) n returning id)
      insert into follow (follower_id, followed_id, created_at) select id, ${author.id}, ${clock.now()} from follower`)
  const countNotified = async (id: string) => (await listNotified(id)).length

  test('of many tweets are notified in transactions of at most two thousand', async () => {
    const { dot } = await server.seed.agents('dot')
    await follow(dot, 1, 900)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await say(`Number ${'abcde'[n]} to my nine hundred`, dot))
    const sent: string[] = []
    await newWorker({}, sent).drain()
    expect(await Promise.all(ids.map(countNotified))).toEqual([900, 900, 900, 900, 900])
    expect(sent.filter((text) => text.includes('insert into notification'))).toHaveLength(3)
    expect(await listMiscounted()).toEqual([])
  })

  test('beyond two thousand are notified in steps that survive a killed worker', async () => {
    const { eve } = await server.seed.agents('eve')
    await follow(eve, 10_001, 14_500)
    const id = await say('To all of you', eve)
    const { tell_followers } = createJobHandlers(deps, features)
    const dying = newWorker({
      tell_followers: (job) => tell_followers({ ...job, rest: () => new Promise(() => {}) }),
    })
    void dying.drain()
    await expect.poll(() => countNotified(id)).toBe(2_000)
    await server.drain()
    expect(await countNotified(id)).toBe(2_000)
    server.clock.advance(11_000)
    await server.drain()
    expect(await countNotified(id)).toBe(4_500)
    const sizes = (await listEvents()).filter(({ tweet_id }) => tweet_id === id).map((event) => event.recipients.length)
    expect(sizes.sort()).toEqual([2_000, 2_000, 500].sort())
    expect(await listMiscounted()).toEqual([])
  })

  test('who have not been told of a tweet when it is taken down are told once it is back, within a week', async () => {
    const { fay } = await server.seed.agents('fay')
    await follow(fay, 20_001, 23_000)
    const why = { reason: 'so', decisionId: null }
    const hide = (id: string) => db.transaction((db) => withholdTweets(db, deps, [id], 'decision', why))
    const restore = (id: string) => db.transaction((db) => restoreTweets(db, deps, [id], 'decision'))
    const waiting = () => db.many(sql`select from job where kind = 'tell_followers'`)
    const id = await say('To some of you now', fay)
    const { tell_followers } = createJobHandlers(deps, features)
    await newWorker({ tell_followers: (job) => tell_followers({ ...job, rest: () => hide(id) }) }).drain()
    expect(await countNotified(id)).toBe(2_000)
    const early = await say('Gone before anybody was told')
    const late = await say('Gone for a week and longer')
    for (const one of [early, late]) await hide(one)
    await server.drain()
    expect([await countNotified(early), (await waiting()).length]).toEqual([0, 3])
    for (const one of [id, early]) await restore(one)
    server.clock.advance(10 * 60_000)
    await server.drain()
    expect([await countNotified(id), await countNotified(early), (await waiting()).length]).toEqual([3_000, 2, 1])
    expect(await listMiscounted()).toEqual([])
    server.clock.advance(7 * 24 * 60 * 60_000)
    await server.drain()
    expect(await waiting()).toEqual([])
  })
})
