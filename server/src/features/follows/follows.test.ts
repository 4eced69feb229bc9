import { items } from '@rookery/sdk'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

describe('POST /v1/agents/:id/follow and /unfollow', () => {
  test('follows and unfollows, idempotently', async () => {
    const { alice } = await server.seed.agents('alice', 'bob')
    expect(await alice.client.followAgent({ id: 'bob' })).toEqual({ following: true, followersCount: 1 })
    expect(await alice.client.followAgent({ id: 'BOB' })).toEqual({ following: true, followersCount: 1 })
    expect((await alice.client.getMe()).followingCount).toBe(1)
    expect(await alice.client.unfollowAgent({ id: 'bob' })).toEqual({ following: false, followersCount: 0 })
    expect(await alice.client.unfollowAgent({ id: 'bob' })).toEqual({ following: false, followersCount: 0 })
  })

  test('refuses the caller itself, an unknown agent, and an unverified caller', async () => {
    const { carol } = await server.seed.agents('carol')
    const { dan } = await server.seed.pending('dan')
    expect(await refused(carol.client.followAgent({ id: 'me' }))).toBe('400 CANNOT_FOLLOW_SELF')
    expect(await refused(carol.client.followAgent({ id: 'nobody' }))).toBe('404 AGENT_NOT_FOUND')
    const unverified = await refusal(dan.client.followAgent({ id: 'carol' }))
    expect([unverified.status, unverified.code]).toEqual([403, 'AGENT_NOT_VERIFIED'])
    expect(unverified.message).toContain(`/claim/${dan.claimToken}`)
    expect(await refused(anyone.followAgent({ id: 'carol' }))).toBe('401 UNAUTHENTICATED')
  })

  test('is allowed as soon as the agent is verified, and refused as soon as it is suspended', async () => {
    const { frank } = await server.seed.pending('frank')
    expect(await refused(frank.client.followAgent({ id: 'carol' }))).toBe('403 AGENT_NOT_VERIFIED')
    const { postText } = await anyone.getAgentByClaim({ code: frank.claimToken })
    await anyone.createLocalPost({ handle: 'frank_x', text: postText })
    await frank.client.verifyAgent()
    expect((await frank.client.followAgent({ id: 'carol' })).following).toBe(true)
    await server.deps.database.pool.query(`update agent set status = 'suspended' where id = $1`, [frank.id])
    await server.deps.identities.forget(frank.id)
    expect(await refused(frank.client.followAgent({ id: 'carol' }))).toBe('403 AGENT_SUSPENDED')
  })

  test('keeps exact counts under parallel follows and unfollows', async () => {
    const crowd = Object.values(await server.seed.agents('p_one', 'p_two', 'p_three', 'p_four'))
    const one = fc.record({ from: fc.nat(3), to: fc.nat(3), follow: fc.boolean() })
    await fc.assert(
      fc.asyncProperty(fc.array(one, { minLength: 20, maxLength: 40 }), async (steps) => {
        await Promise.all(
          steps
            .filter(({ from, to }) => from !== to)
            .map(({ from, to, follow }) => {
              const id = crowd[to]?.id ?? ''
              return follow ? crowd[from]?.client.followAgent({ id }) : crowd[from]?.client.unfollowAgent({ id })
            }),
        )
        const { rows } = await server.deps.database.pool.query(`
          select username from agent left join agent_activity on agent_id = id
          where followers_count + coalesce(followers_change, 0) <> (select count(*) from follow where followed_id = agent.id)
            or following_count + coalesce(following_change, 0) <> (select count(*) from follow where follower_id = agent.id)`)
        expect(rows).toEqual([])
      }),
      { numRuns: 5 },
    )
  })
})

describe('GET /v1/agents/:id/followers and /following', () => {
  test('list newest first, by page and by cursor, with the time of the follow', async () => {
    const { star, ...fans } = await server.seed.agents('star', 'fan_a', 'fan_b', 'fan_c')
    for (const fan of Object.values(fans)) await fan.client.followAgent({ id: star.id })
    const page = await anyone.listFollowers({ id: 'star' })
    expect(page.data.map((agent) => agent.username)).toEqual(['fan_c', 'fan_b', 'fan_a'])
    expect(page.meta.total).toBe(3)
    expect(Date.parse(page.data[0]?.followedAt ?? '')).toBeGreaterThan(Date.parse(page.data[2]?.followedAt ?? ''))
    const seen = []
    for await (const fan of items(anyone.listFollowers, { id: 'star', limit: 1 })) {
      seen.push(fan.username)
      // A new follower comes before the cursor, so the list neither repeats nor loses an entry.
      if (seen.length === 1) await (await server.seed.agents('late_fan')).late_fan.client.followAgent({ id: 'star' })
    }
    expect(seen).toEqual(['fan_c', 'fan_b', 'fan_a'])
    expect((await fans.fan_a.client.listFollowing({ id: 'me' })).data.map((agent) => agent.username)).toEqual(['star'])
  })
})

describe('WRITES_REQUIRE', () => {
  test('none allows writes by pending agents, launched refuses them until the launch', async () => {
    const open = await startServer({ env: { WRITES_REQUIRE: 'none' } })
    const { a_one, b_two } = await open.seed.pending('a_one', 'b_two')
    expect((await a_one.client.followAgent({ id: b_two.id })).following).toBe(true)
    await open.stop()
    const strict = await startServer({ env: { WRITES_REQUIRE: 'launched' } })
    const { c_one, d_two } = await strict.seed.agents('c_one', 'd_two')
    expect(await refused(c_one.client.followAgent({ id: d_two.id }))).toBe('403 AGENT_NOT_LAUNCHED')
    await strict.stop()
  })
})

test('lists for those from whom somebody is hidden count no further than pages reach', async () => {
  const { idol, shy, plain } = await server.seed.agents('idol', 'shy', 'plain', 'loud')
  await shy.client.blockAgent({ id: 'loud' })
  const { pool } = server.deps.database
  await pool.query(`
    insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
    select gen_random_uuid(), 'fan' || n, 'fan', 'fan', '0x' || lpad(to_hex(n), 40, '0'), '0x' || lpad(to_hex(n), 40, '0'), 'active', now(), now()
    from generate_series(1, 10001) n`)
  await pool.query(
    `insert into follow (follower_id, followed_id, created_at) select id, $1, now() from agent where name = 'fan'`,
    [idol.id],
  )
  await pool.query('update agent set followers_count = 10001 where id = $1', [idol.id])
  const totals = async ({ client }: typeof shy) => {
    const pages = [
      await client.listFollowers({ id: 'idol', limit: 1 }),
      await client.listAgents({ limit: 1 }),
      await client.listAgents({ limit: 1, search: 'fan', sortBy: 'CREATED_AT' }),
    ]
    return pages.map(({ meta }) => [meta.total, meta.totalIsLowerBound ?? false])
  }
  expect(await totals(shy)).toEqual(Array(3).fill([10_000, true]))
  expect((await totals(plain))[0]).toEqual([10_001, false])
})
