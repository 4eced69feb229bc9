import sql from 'sql-template-tag'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'
import { noteStatements } from '../../../test/statements/record.js'
import { createWorker, type JobHandlers } from '../../foundation/jobs/worker.js'
import { createJobHandlers } from '../../start/job-handlers.js'

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
  const noted = noteStatements(db, sent)
  const all = { ...createJobHandlers({ ...deps, db: noted }, features), embed_tweet, ...handlers }
  return createWorker({ db: noted, clock, queue, handlers: all, lanes: 1, onError: () => {} })
}

const dampingOf = async (id: string) =>
  (await db.one<{ damping: number }>(sql`select damping from tweet_order where tweet_id = ${id}`)).damping

interface ToldEvent {
  readonly tweet_id: string
  readonly type: string
  readonly recipients: string[]
}

/** What was told of tweets by live events, whether they have their order yet or not. */
const listEvents = () =>
  db.many<ToldEvent>(sql`
    select tweet_id, data->>'type' as type, recipients::text[] as recipients from event
    where type = 'notification.created' and recipients is not null
    union all select tweet_id, data->>'type', recipients::text[] from event_draft
    where type = 'notification.created' and recipients is not null`)

const listMiscounted = () =>
  db.many(sql`
    select agent.id from agent left join inbox on inbox.agent_id = agent.id
    where coalesce(inbox.unread, 0) <> (
      select count(*) from notification where notification.agent_id = agent.id and not is_read)`)

const toldOf = async (id: string) =>
  (
    await db.many<{ who: string }>(sql`
    select notification.type || ' ' || username as who from notification join agent on agent.id = notification.agent_id
    where tweet_id = ${id} order by who`)
  ).map(({ who }) => who)

describe('tweets', () => {
  test('are published together: as many statements for twenty as for two', async () => {
    const counts: number[] = []
    for (const size of [2, 20]) {
      const ids: string[] = []
      for (let n = 0; n < size; n++) ids.push(await say(`@ben look, the ${'abcdefghijklmnopqrst'[n]}th of ${size}`))
      const sent: string[] = []
      await db.run(sql`delete from tweet_band`)
      await newWorker({}, sent).drain()
      counts.push(sent.length)
      for (const id of ids) expect(await toldOf(id)).toEqual(['MENTION ben', 'NEW_TWEET ben', 'NEW_TWEET cat'])
    }
    expect(counts[1]).toBe(counts[0])
    expect(await listMiscounted()).toEqual([])
  })

  test('are told of by one event for each tweet and type, with its recipients in order', async () => {
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

  test('that say nearly the same are damped by those before them, in one set as one by one', async () => {
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
    await db.run(sql`delete from tweet_band`)
    const apart: string[] = []
    for (const text of texts('great grey tide')) {
      apart.push(await say(text))
      await server.drain()
    }
    const damped = await Promise.all(together.map(dampingOf))
    expect(damped).toEqual(await Promise.all(apart.map(dampingOf)))
    expect(damped).toEqual([0, 2, 0, expect.closeTo(2 * Math.log2(3)), 4])
    await db.run(sql`delete from tweet_band`)
  })

  test('are compared with those that were published before, up to fifty, for six hours', async () => {
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

  test('that are gone are passed over', async () => {
    const [gone, stays] = [await say('never mind'), await say('still here')]
    await ann.client.deleteTweet({ id: gone })
    await server.drain()
    expect([await toldOf(gone), await toldOf(stays)]).toEqual([[], ['NEW_TWEET ben', 'NEW_TWEET cat']])
    expect(await db.many(sql`select from job where kind = 'publish_tweet'`)).toEqual([])
    await ann.client.deleteTweet({ id: stays })
    expect(await db.many(sql`select from tweet_band where tweet_id = ${stays}`)).toEqual([])
  })

  test('that cannot be published keep no others from it', async () => {
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
    expect(await toldOf(one)).toEqual([])
    server.clock.advance(2_000)
    await worker.drain()
    expect([await toldOf(one), await toldOf(bad), await toldOf(two)]).toEqual([
      ['NEW_TWEET ben', 'NEW_TWEET cat'],
      [],
      ['NEW_TWEET ben', 'NEW_TWEET cat'],
    ])
    server.clock.advance(60_000)
    await server.drain()
    expect(await toldOf(bad)).toEqual(['NEW_TWEET ben', 'NEW_TWEET cat'])
    expect(await listMiscounted()).toEqual([])
  })

  test('whose worker dies when they are published are not published again', async () => {
    const id = await say('said once')
    const { publish_tweet } = createJobHandlers(deps, features)
    const dying = newWorker({
      async publish_tweet(job) {
        await publish_tweet(job)
        return new Promise<undefined>(() => {})
      },
    })
    void dying.drain()
    await expect.poll(() => toldOf(id)).toHaveLength(2)
    expect(await db.many(sql`select from job where kind = 'publish_tweet'`)).toEqual([])
    expect(await db.many(sql`select from job where kind = 'embed_tweet'`)).toHaveLength(1)
  })

  test('whose job another worker took over are published by that one alone', async () => {
    const id = await say('whose turn is it')
    const { publish_tweet } = createJobHandlers(deps, features)
    const late = newWorker({
      async publish_tweet(job) {
        await db.run(sql`update job set lock_id = gen_random_uuid() where id = ${job.id}`)
        return publish_tweet(job)
      },
    })
    await late.drain()
    expect(await toldOf(id)).toEqual([])
    server.clock.advance(11_000)
    await server.drain()
    expect(await toldOf(id)).toHaveLength(2)
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
  const countTold = async (id: string) => (await toldOf(id)).length

  test('of many tweets are told in transactions of two thousand at most', async () => {
    const { dot } = await server.seed.agents('dot')
    await follow(dot, 1, 900)
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await say(`Number ${'abcde'[n]} to my nine hundred`, dot))
    const sent: string[] = []
    await newWorker({}, sent).drain()
    expect(await Promise.all(ids.map(countTold))).toEqual([900, 900, 900, 900, 900])
    expect(sent.filter((text) => text.includes('insert into notification'))).toHaveLength(3)
    expect(await listMiscounted()).toEqual([])
  })

  test('of one tweet, more than two thousand, are told in steps that survive a kill', async () => {
    const { eve } = await server.seed.agents('eve')
    await follow(eve, 10_001, 14_500)
    const id = await say('To all of you', eve)
    const { tell_followers } = createJobHandlers(deps, features)
    const dying = newWorker({
      tell_followers: (job) => tell_followers({ ...job, rest: () => new Promise(() => {}) }),
    })
    void dying.drain()
    await expect.poll(() => countTold(id)).toBe(2_000)
    await server.drain()
    expect(await countTold(id)).toBe(2_000)
    server.clock.advance(11_000)
    await server.drain()
    expect(await countTold(id)).toBe(4_500)
    const sizes = (await listEvents()).filter(({ tweet_id }) => tweet_id === id).map((it) => it.recipients.length)
    expect(sizes.sort()).toEqual([2_000, 2_000, 500].sort())
    expect(await listMiscounted()).toEqual([])
  })
})
