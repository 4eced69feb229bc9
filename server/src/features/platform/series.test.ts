import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Action, createFakeChain } from '../../../test/fake-chain.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { createShareFollower } from '../../start/share-follower.js'
import { DAY_MS } from './count-day.js'
import { countDays } from './count-days.js'

const never = { rest: async () => {}, stopping: () => false }

async function openServer(): Promise<TestServer> {
  const server = await startServer()
  afterAll(() => server.stop())
  return server
}

describe('GET /v1/stats/series', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await openServer()
  })
  const count = (job = never) => countDays(server.deps, job)
  const read = (query = {}) => server.client().getPlatformSeries(query)

  test('has no days before anything happened', async () => {
    await count()
    expect(await read()).toEqual({ interval: 'day', updatedAt: null, firstDate: null, byDay: [] })
  })

  test('says what was done in public on each day, and of today as of some minutes ago', async () => {
    const { ann, ben } = await server.seed.agents('ann', 'ben', 'cyd')
    const { id } = await ann.client.createTweet({ content: 'good morning' })
    await ben.client.likeTweet({ id })
    await ben.client.likeTweet({ id })
    await ben.client.createTweet({ content: 'and to you', parentTweetId: id })
    server.clock.advance(DAY_MS)
    await ben.client.repostTweet({ id })
    await ben.client.followAgent({ id: ann.id })
    await ann.client.createSkill({ name: 'Look', description: 'Twice.', content: 'Look twice.', type: 'skill' })
    expect((await read()).byDay).toEqual([])
    await count()
    const nothing = { tradesCount: 0, volumeBNB: '0', holdersCount: 0 }
    const { byDay: days, firstDate } = await read()
    expect(firstDate).toBe('2026-06-01')
    expect(days).toEqual([
      {
        ...nothing,
        date: '2026-06-01',
        agentsRegistered: 3,
        agentsVerified: 3,
        agentsActive: 2,
        postsCount: 1,
        repliesCount: 1,
        repostsCount: 0,
        likesCount: 1,
        followsCount: 0,
        skillsCount: 0,
      },
      {
        ...nothing,
        date: '2026-06-02',
        agentsRegistered: 0,
        agentsVerified: 0,
        agentsActive: 1,
        postsCount: 0,
        repliesCount: 0,
        repostsCount: 1,
        likesCount: 0,
        followsCount: 1,
        skillsCount: 1,
      },
    ])
    await ann.client.createTweet({ content: 'later that day' })
    await count()
    expect((await read({ from: '2026-06-02', figures: 'postsCount, agentsActive' })).byDay).toEqual([
      { date: '2026-06-02', agentsActive: 2, postsCount: 1 },
    ])
  })

  test('tells nothing of private tweets and items, nor of what is done with them', async () => {
    server.clock.advance(DAY_MS)
    const { dot } = await server.seed.agents('dot')
    await count()
    const before = (await read()).byDay
    const { id } = await dot.client.createTweet({ content: 'for holders', visibility: 'private' })
    await dot.client.likeTweet({ id })
    await dot.client.createTweet({ content: 'for holders too', parentTweetId: id })
    const skill = { name: 'Hide', description: 'Well.', content: 'Hide well.', type: 'skill' } as const
    await dot.client.createSkill({ ...skill, visibility: 'private' })
    await count()
    expect((await read()).byDay).toEqual(before)
    expect(before.at(-1)).toMatchObject({ agentsActive: 0, agentsRegistered: 1 })
  })

  test('counts a day that has ended once more, and then never again', async () => {
    server.clock.advance(DAY_MS)
    await count()
    const countedAt = () =>
      server.deps.db.many(sql`select day::text, counted_at from platform_day where day < '2026-06-04' order by day`)
    const counted = await countedAt()
    expect(counted).toHaveLength(3)
    server.clock.advance(DAY_MS)
    await count()
    expect(await countedAt()).toEqual(counted)
  })

  test('fills in the past, newest first, and continues where it was stopped', async () => {
    const whole = (await read()).byDay
    await server.deps.db.run(sql`delete from platform_day`)
    await count({ ...never, stopping: () => true })
    expect((await read()).byDay).toEqual([])
    let rests = 0
    // 24 parts of each past day; of today, those that have begun.
    await count({ rest: async () => void rests++, stopping: () => rests > 24 })
    const some = (await read()).byDay
    expect(some.length).toBeGreaterThan(0)
    expect(some.length).toBeLessThan(whole.length)
    expect(some).toEqual(whole.slice(-some.length))
    await count()
    expect((await read()).byDay).toEqual(whole)
  })

  test('takes spans of up to 366 days, oldest first, and refuses what is none', async () => {
    expect((await read({ to: '2026-06-02' })).byDay.map(({ date }) => date)).toEqual(['2026-06-01', '2026-06-02'])
    expect((await read({ from: '0000-01-01' })).byDay).toEqual([])
    expect((await read({ from: '9999-12-31' })).byDay).toEqual([])
    expect((await read({ to: '0000-01-01' })).byDay).toEqual([])
    const refused = (query: object, field: string) =>
      expect(read(query)).rejects.toMatchObject({ status: 400, message: expect.stringContaining(field) })
    await refused({ from: '2026-06-02', to: '2026-06-01' }, 'to')
    await refused({ from: '2025-01-01', to: '2026-06-01' }, 'to')
    await refused({ from: '2026-02-30' }, 'from')
    await refused({ interval: 'hour' }, 'interval')
    await refused({ figures: 'postsCount,secrets' }, 'figures')
  })
})

describe('trades of the series', () => {
  test('of many days that cannot be settled are not counted without end, and hide no older day', async () => {
    const server = await openServer()
    const { db, clock } = server.deps
    await server.seed.agents('eve')
    // A chain with few blocks keeps all of them.
    await db.run(sql`insert into chain_block (number, hash, at) values (1, '0x', ${clock.now()})`)
    await db.run(sql`
      insert into chain_cursor (chain_id, contract, number, confirmed_number, final_number, head_number, checked_at)
      values (31337, '0x', 1, 1, 1, 1, ${clock.now()})`)
    server.clock.advance(60 * DAY_MS)
    const secondsToNext = async () =>
      ((await countDays(server.deps, never)).again.getTime() - clock.now().getTime()) / 1000
    expect(await secondsToNext()).toBeLessThan(1)
    expect(await secondsToNext()).toBeGreaterThan(50)
    expect((await server.client().getPlatformSeries({ from: '2026-06-01' })).byDay).toHaveLength(61)
  })

  test('follow the chain, also when it takes blocks of earlier days back', async () => {
    const server = await openServer()
    const { db, ids, clock } = server.deps
    const startsAt = clock.now().getTime() / 1000
    const chain = createFakeChain({ startsAt: Math.floor(startsAt), secondsPerBlock: 12 * 60 * 60 })
    for (const { owner, name, subject } of chain.agents)
      await db.run(sql`
        insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
        values (${ids.next()}, ${name}, ${name}, ${name}, ${owner}, ${subject}, 'active', ${clock.now()}, now())`)
    const follower = createShareFollower(server.deps, { chain, sleep: { for: async () => {}, wake: () => {} } })
    const buy = (agent: number, wallet: number): Action => ({ do: 'buy', agent, wallet, amount: 1 })
    const launches = [0, 1, 2, 3].map((agent): Action => ({ do: 'launch', agent, amount: 1 }))
    const days = async () => {
      await follower.catchUp()
      await countDays(server.deps, never)
      const { byDay } = await server.client().getPlatformSeries({ figures: 'tradesCount,holdersCount,volumeBNB' })
      return byDay
    }
    const expected = async () => {
      const { rows } = await server.deps.database.pool.query<{ tradesCount: number; holdersCount: number }>(`
        select day::date::text as date,
          (select count(*)::int from trade where at >= day and at < day + interval '1 day') as "tradesCount",
          coalesce((
            select sum(holders)::int from (
              select distinct on (subject) holders from share_candle where minutes = 1 and start_at < day + interval '1 day'
              order by subject, start_at desc) held), 0) as "holdersCount"
        from generate_series(timestamptz '2026-06-01T00:00:00Z', '2026-06-05T00:00:00Z', '1 day') day order by day`)
      return rows
    }
    chain.mine(launches)
    chain.mine([buy(0, 1), buy(0, 2)])
    chain.mine([buy(1, 2)])
    chain.mine([{ do: 'sell', agent: 0, wallet: 1, amount: 1 }])
    server.clock.advance(4 * DAY_MS)
    const before = await days()
    expect(before).toMatchObject(await expected())
    expect(before.at(-1)).toMatchObject({ holdersCount: 6, tradesCount: 0 })

    chain.drop(3)
    chain.mine([buy(3, 4)])
    chain.mine([])
    chain.mine([])
    chain.mine([buy(2, 1)])
    const after = await days()
    expect(after).not.toEqual(before)
    expect(after).toMatchObject(await expected())
    await follower.stop()
  })
})
