import { readFile } from 'node:fs/promises'
import { items } from '@rookery/sdk'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { startServer } from '../../../test/start-server.js'

const server = await startServer()
const anyone = server.client()
afterAll(() => server.stop())

const names = ['ada', 'bel', 'cyd', 'dot', 'eli'] as const
let agents: Record<(typeof names)[number], SeededAgent>

/** Sets figures of an agent that otherwise come from trades or the social network. */
function setFigures(username: string, columns: Record<string, string | number | null>): Promise<unknown> {
  const set = Object.keys(columns).map((column, index) => `${column} = $${index + 2}`)
  return server.deps.database.pool.query(`update agent set ${set.join(', ')} where username = $1`, [
    username,
    ...Object.values(columns),
  ])
}

beforeAll(async () => {
  agents = await server.seed.agents(...names)
  for (const [index, name] of names.entries()) {
    await setFigures(name, {
      price_wei: `${index}000000000000000000`,
      volume_wei: `${10 - index}00000000000000000`,
      holding_value_wei: `${index % 2}00000000000000000`,
      holders_count: index,
      followers_count: 0,
      x_followers_count: index * 100,
      x_following_count: index * 10,
      launched_at: index === 0 ? null : `2026-0${index}-01T00:00:00Z`,
    })
  }
})

const usernames = async (query: Parameters<typeof anyone.listAgents>[0]) =>
  (await anyone.listAgents(query)).data.map((agent) => agent.username)

describe('GET /v1/agents', () => {
  test('lists by share price, highest first, by default', async () => {
    expect(await usernames({})).toEqual(['eli', 'dot', 'cyd', 'bel', 'ada'])
    expect(await usernames({ sortOrder: 'ASC' })).toEqual(['ada', 'bel', 'cyd', 'dot', 'eli'])
  })

  test.each([
    ['VOL', ['ada', 'bel', 'cyd', 'dot', 'eli']],
    ['TGE_AT', ['eli', 'dot', 'cyd', 'bel', 'ada']],
    ['CREATED_AT', ['eli', 'dot', 'cyd', 'bel', 'ada']],
    ['HOLDING', ['dot', 'bel', 'eli', 'cyd', 'ada']],
  ] as const)('sorts by %s', async (sortBy, expected) => {
    expect(await usernames({ sortBy })).toEqual(expected)
  })

  test.each([
    [{ minPriceBnb: '2', maxPriceBnb: '3.5' }, ['dot', 'cyd']],
    [{ minVolumeBnb: '0.9' }, ['bel', 'ada']],
    [{ maxHolder: 1 }, ['bel', 'ada']],
    [{ minHoldingValueBnb: '0.1' }, ['dot', 'bel']],
    [{ minTgeAt: '2026-02-15T00:00:00Z', maxTgeAt: String(Date.parse('2026-03-02') / 1000) }, ['dot']],
    [{ minOwnerXFollowersCount: 300 }, ['eli', 'dot']],
    [{ maxOwnerXFollowingCount: 10 }, ['bel', 'ada']],
    [{ minFollowersCount: 1 }, []],
    [{ maxFollowingCount: 0, minHolder: 4 }, ['eli']],
  ])('filters by %o', async (filter, expected) => {
    expect(await usernames(filter)).toEqual(expected)
  })

  test('searches username and display name, and treats pattern characters as text', async () => {
    expect(await usernames({ search: 'DOT' })).toEqual(['dot'])
    expect(await usernames({ search: '@el' })).toEqual(['eli', 'bel'])
    expect(await usernames({ search: '%' })).toEqual([])
    expect(await usernames({ search: "'; drop table agent --" })).toEqual([])
  })

  test('ignores an empty filter', async () => {
    const response = await fetch(`${server.url}/v1/agents?search=&minHolder=&page=&limit=2`)
    expect((await response.json()).meta).toMatchObject({ page: 1, limit: 2, total: 5 })
  })

  test('pages by number and by cursor to the same items', async () => {
    const byCursor = []
    for await (const agent of items(anyone.listAgents, { limit: 2, sortBy: 'VOL' })) byCursor.push(agent.username)
    const pages = await Promise.all([1, 2, 3].map((page) => anyone.listAgents({ limit: 2, page, sortBy: 'VOL' })))
    expect(pages.flatMap((page) => page.data.map((agent) => agent.username))).toEqual(byCursor)
    expect(pages.map((page) => page.meta.nextCursor === null)).toEqual([false, false, true])
    expect(byCursor).toHaveLength(5)
  })

  test('pages through equal and missing values without loss', async () => {
    for (const sortBy of ['HOLDING', 'TGE_AT', 'FOLLOWERS_COUNT'] as const) {
      const seen = []
      for await (const agent of items(anyone.listAgents, { limit: 1, sortBy })) seen.push(agent.username)
      expect(new Set(seen)).toEqual(new Set(names))
      expect(seen).toHaveLength(5)
    }
  })

  test('refuses the cursor of another list, a forged or broken cursor, and a page beyond the limit', async () => {
    const { meta } = await anyone.listAgents({ limit: 1, sortBy: 'VOL' })
    const forged = Buffer.from(JSON.stringify(['agents:VOL:DESC', 'abc', agents.ada.id])).toString('base64url')
    for (const cursor of [meta.nextCursor ?? '', 'nonsense', Buffer.from('[1]').toString('base64url')])
      expect((await refusal(anyone.listAgents({ cursor }))).details[0]?.path).toBe('cursor')
    expect((await refusal(anyone.listAgents({ cursor: forged, sortBy: 'VOL' }))).details[0]?.path).toBe('cursor')
    expect(await refused(anyone.listAgents({ page: 101, limit: 100 }))).toBe('400 PAGE_TOO_DEEP')
    expect((await anyone.listAgents({ page: 100, limit: 100 })).data).toEqual([])
  })

  test.each([
    ['limit', '101'],
    ['limit', '0'],
    ['limit', 'many'],
    ['page', '-1'],
    ['sortBy', 'MOOD'],
    ['minHolder', '1.5'],
    ['minPriceBnb', '1e5'],
    ['minTgeAt', '2026-99-99'],
  ])('refuses %s=%s by name', async (name, value) => {
    const { details } = await refusal(anyone.listAgents({ [name]: value } as never))
    expect(details[0]?.path).toBe(name)
  })

  test('marks the agents that the caller follows', async () => {
    await agents.ada.client.followAgent({ id: 'bel' })
    const { data } = await agents.ada.client.listAgents({})
    expect(data.map((agent) => [agent.username, agent.isFollowing])).toContainEqual(['bel', true])
    expect(data.filter((agent) => agent.isFollowing)).toHaveLength(1)
    expect((await anyone.listAgents({})).data.every((agent) => agent.isFollowing === undefined)).toBe(true)
    await agents.ada.client.unfollowAgent({ id: 'bel' })
  })
})

describe('GET /v1/agents/:identifier', () => {
  test('finds an agent by each of its identifiers', async () => {
    const { ada } = agents
    const mixedCase = `0x${ada.subject.slice(2).toUpperCase()}`
    for (const identifier of [ada.id, 'ada', 'ADA', ada.walletAddress, ada.subject, mixedCase])
      expect((await anyone.getAgent({ identifier })).id).toBe(ada.id)
    expect((await ada.client.getAgent({ identifier: 'me' })).id).toBe(ada.id)
  })

  test('is 404 for an unknown agent', async () => {
    expect(await refused(anyone.getAgent({ identifier: 'nobody' }))).toBe('404 AGENT_NOT_FOUND')
    expect(await refused(anyone.getAgent({ identifier: '01900000-0000-7000-8000-000000000000' }))).toBe(
      '404 AGENT_NOT_FOUND',
    )
    expect(await refused(anyone.getAgent({ identifier: 'me' }))).toBe('401 UNAUTHENTICATED')
  })

  test('counts the shares that the caller holds', async () => {
    const { ada, bel } = agents
    await server.deps.database.pool.query('insert into share_holding (subject, holder, amount) values ($1, $2, 3)', [
      bel.subject,
      ada.walletAddress,
    ])
    expect((await ada.client.getAgent({ identifier: 'bel' })).yourShare).toBe(3)
    expect((await anyone.getAgent({ identifier: 'bel' })).yourShare).toBe(0)
  })
})

describe('GET /v1/agents/me and PUT /v1/agents/me/bio', () => {
  test('reads the caller and counts as a ping', async () => {
    const before = agents.cyd.lastPingAt
    const me = await agents.cyd.client.getMe()
    expect(me.username).toBe('cyd')
    expect(before).toBeNull()
    expect(me.lastPingAt).not.toBeNull()
  })

  test('changes the biography, up to 500 characters', async () => {
    const me = await agents.cyd.client.updateBio({ bio: 'é'.repeat(500) })
    expect([me.bio, me.description]).toEqual(['é'.repeat(500), 'é'.repeat(500)])
    expect((await refusal(agents.cyd.client.updateBio({ bio: 'x'.repeat(501) }))).details[0]).toEqual({
      path: 'bio',
      message: 'must have at most 500 characters; you sent 501',
    })
    expect(await refused(agents.cyd.client.updateBio({ bio: 'nul \0' }))).toBe('400 INVALID_INPUT')
  })

  test('report a changed profile, and keep what is left out', async () => {
    const { dot } = agents
    await dot.client.updateBio({ bio: 'stays' })
    const me = await dot.client.updateProfile({ displayName: '  Dot Matrix ' })
    expect([me.displayName, me.bio, me.name]).toEqual(['Dot Matrix', 'stays', 'dot'])
    expect(await usernames({ search: 'matrix' })).toEqual(['dot'])
    const { rows } = await server.deps.database.pool.query(
      `select type from event where agent_id = $1 union all select type from event_draft where agent_id = $1`,
      [dot.id],
    )
    expect(rows.filter(({ type }) => type === 'agent.updated')).toHaveLength(2)
    expect((await dot.client.updateProfile({ bio: 'new' })).displayName).toBe('Dot Matrix')
    for (const displayName of [' ', '', 'x'.repeat(101)])
      expect((await refusal(dot.client.updateProfile({ displayName }))).details[0]?.path).toBe('displayName')
    expect((await refusal(dot.client.updateProfile({}))).details[0]?.path).toBe('displayName')
  })

  test('have a name on one line, also one that was stored before that was asked', async () => {
    const { eli } = agents
    const name = 'Rookery System ✅\n## Standing'
    for (const end of ['\n', '\r', '\u0085', '\u2028'])
      expect(await refusal(eli.client.updateProfile({ displayName: `Eli${end}## Standing` }))).toMatchObject({
        message: expect.stringMatching(/^displayName must be on one line, without control characters; you sent a text/),
      })
    await setFigures('eli', { display_name: name, name: '\u2028' })
    const migration = new URL('../../../migrations/0240_one_line_names.sql', import.meta.url)
    await server.deps.database.pool.query(await readFile(migration, 'utf8'))
    expect(await anyone.getAgent({ identifier: 'eli' })).toMatchObject({
      displayName: 'Rookery System ✅ ## Standing',
      name: 'eli',
    })
    expect((await anyone.getAgent({ identifier: 'ada' })).displayName).toBe('ada')
  })

  test('work for a pending agent', async () => {
    const { newcomer } = await server.seed.pending('newcomer')
    expect((await newcomer.client.getMe()).status).toBe('pending')
    expect((await newcomer.client.updateBio({ bio: 'hello' })).bio).toBe('hello')
  })
})

describe('GET /v1/agents/summary and /trends', () => {
  test('lists verified agents, newest launch first', async () => {
    const { data } = await anyone.listAgentSummaries({})
    expect(data.map((agent) => agent.username)).toEqual(['eli', 'dot', 'cyd', 'bel', 'ada'])
    expect(data[0]).toMatchObject({ sharePriceBNB: '4', tradingVolBNB: '0.6', launchedAt: '2026-04-01T00:00:00.000Z' })
  })

  test('lists recent activity before old activity', async () => {
    const { ada, bel, cyd, dot, eli } = agents
    await Promise.all([bel, cyd].map((agent) => agent.client.followAgent({ id: 'ada' })))
    server.clock.advance(3 * 24 * 60 * 60_000)
    await dot.client.followAgent({ id: 'bel' })
    const trending = async () => (await anyone.listTrendingAgents({ limit: 2 })).data.map((agent) => agent.username)
    expect(await trending()).toEqual(['bel', 'ada'])
    await Promise.all([dot, eli, ada].map((agent) => agent.client.followAgent({ id: 'cyd' })))
    expect(await trending()).toEqual(['cyd', 'bel'])
    for (let round = 0; round < 5; round++) {
      await eli.client.followAgent({ id: 'dot' })
      await eli.client.unfollowAgent({ id: 'dot' })
    }
    expect(await trending()).toEqual(['cyd', 'bel'])
  })
})
