import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Action, createFakeChain, type FakeChain } from '../../../test/fake-chain.js'
import { readShareState } from '../../../test/share-figures.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import type { Follower } from '../../foundation/chain/follow-chain.js'
import { createShareFollower } from '../../start/share-follower.js'

const HOUR_MS = 3_600_000
const BLOCK_HOURS = 6

let server: TestServer
let chain: FakeChain
let follower: Follower
const client = () => server.client()
const buy = (agent: number, amount: number): Action => ({ do: 'buy', agent, wallet: 4, amount })
const sell = (agent: number, amount: number): Action => ({ do: 'sell', agent, wallet: agent, amount })
const launch = (agent: number, amount: number): Action => ({ do: 'launch', agent, amount })

/** Three days of blocks that end now: agent_0 doubles within a day, agent_1 falls, agent_2 launches, agent_3 does not. */
async function threeDays(): Promise<FakeChain> {
  const startsAt = Math.floor(server.clock.now().getTime() / 1000) - 72 * 3600
  const made = createFakeChain({ startsAt, secondsPerBlock: BLOCK_HOURS * 3600 })
  made.mine([launch(0, 2), launch(1, 4)])
  while (made.height < 8) made.mine()
  made.mine([buy(0, 2)])
  made.mine([sell(1, 1)])
  made.mine([launch(2, 1), buy(2, 2)])
  return made
}

async function changes(): Promise<Record<string, number | null>> {
  const { data } = await client().listAgents({ sortBy: 'CREATED_AT', sortOrder: 'ASC' })
  return Object.fromEntries(data.map(({ username, priceChange24h }) => [username, priceChange24h]))
}

async function passHours(hours: number): Promise<void> {
  server.clock.advance(hours * HOUR_MS)
  await server.deps.queue.enqueue(server.deps.db, 'compare_prices', {})
  await server.drain()
}

beforeAll(async () => {
  server = await startServer()
  chain = await threeDays()
  for (const { owner, name, subject } of chain.agents)
    await server.deps.db.run(sql`
      insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
      values (${server.deps.ids.next()}, ${name}, ${name}, ${name}, ${owner}, ${subject}, 'active', now(), now())`)
  follower = createShareFollower(server.deps, { chain, sleep: { for: async () => {}, wake: () => {} } })
  await follower.catchUp()
})
afterAll(async () => {
  await follower.stop()
  await server.stop()
})

describe('the change of a price', () => {
  test('is that of 24 hours, or since the first trade of a younger share, and unknown before the launch', async () => {
    expect(await changes()).toEqual({ agent_0: 300, agent_1: -43.75, agent_2: 800, agent_3: null })
    expect(await client().getAgent({ identifier: 'agent_1' })).toMatchObject({
      priceChange24h: -43.75,
      totalSupply: 3,
      sharePriceBNB: '0.0005625',
      marketValueBNB: '0.0016875',
    })
    const { data: launches } = await client().listAgentSummaries({})
    expect(launches.map(({ priceChange24h }) => priceChange24h)).toEqual(expect.arrayContaining([300, 800, null]))
    const { data: ranks } = await client().listPositionLeaderboard({})
    expect(ranks.find(({ agentUsername }) => agentUsername === 'agent_0')).toMatchObject({ priceChange24h: 300 })
  })

  test('filters lists, which then leave out who has none', async () => {
    const among = async (bounds: { minChange24h?: number; maxChange24h?: number }) =>
      (await client().listAgents({ ...bounds, sortBy: 'CHANGE_24H' })).data.map(({ username }) => username)
    expect(await among({ minChange24h: 0.01 })).toEqual(['agent_2', 'agent_0'])
    expect(await among({ maxChange24h: -0.01 })).toEqual(['agent_1'])
    expect(await among({ minChange24h: -43.75, maxChange24h: 300 })).toEqual(['agent_0', 'agent_1'])
  })

  test.each([
    ['CHANGE_24H', ['agent_2', 'agent_0', 'agent_1', 'agent_3']],
    ['MARKET_VALUE', ['agent_0', expect.any(String), expect.any(String), 'agent_3']],
    ['HOLDERS', [expect.any(String), expect.any(String), 'agent_1', 'agent_3']],
  ] as const)('orders lists by %s, both ways and page by page', async (sortBy, highestFirst) => {
    for (const sortOrder of ['DESC', 'ASC'] as const) {
      const names: string[] = []
      let cursor: string | null | undefined
      while (cursor !== null) {
        const page = await client().listAgents({ sortBy, sortOrder, limit: 1, ...(cursor && { cursor }) })
        names.push(...page.data.map(({ username }) => username))
        cursor = page.meta.nextCursor
      }
      expect(names).toEqual(sortOrder === 'DESC' ? highestFirst : [...highestFirst].reverse())
      expect(new Set(names).size).toBe(4)
    }
  })

  test('follows a reorganisation, also one that undoes a launch', async () => {
    const dropped = chain.drop(3)
    for (const _ of [1, 2, 3, 4]) chain.mine()
    await follower.catchUp()
    expect(await changes()).toEqual({ agent_0: 0, agent_1: 0, agent_2: null, agent_3: null })
    chain.drop(4)
    for (const [from, to] of [[0, 1], [1, 2], [2]] as const) chain.mineAgain(dropped.slice(from, to))
    for (let doubt = 0; doubt < 12; doubt++) await follower.catchUp()
    const state = await readShareState(server.deps.db)
    expect(await changes()).toMatchObject({ agent_0: 300, agent_2: 800 })
    await server.deps.db.run(
      sql`update agent set day_supply = null, day_moves_at = '-infinity' where launched_at is not null`,
    )
    await passHours(0)
    expect(await readShareState(server.deps.db)).toEqual(state)
  })

  test('of the last week is listed on request, oldest price first', async () => {
    const { data } = await client().listAgents({ sortBy: 'CHANGE_24H', include: 'sparkline' })
    const of = (name: string) => data.find(({ username }) => username === name)?.sparkline
    expect(of('agent_0')).toHaveLength(24)
    expect([of('agent_0')?.[0], of('agent_0')?.at(-1)]).toEqual(['0.00025', '0.001'])
    expect(new Set(of('agent_1'))).toEqual(new Set(['0.001', '0.0005625']))
    expect(of('agent_3')).toEqual([])
    const { data: plain } = await client().listAgents({})
    expect(plain[0]).not.toHaveProperty('sparkline')
    const [trending] = (await client().listTrendingAgents({ include: 'sparkline', limit: 1 })).data
    expect(trending?.sparkline).toBeDefined()
    const { sparkline } = await client().getAgent({ identifier: 'agent_2', include: 'sparkline' })
    expect(sparkline?.at(-1)).toBe('0.0005625')
  })

  test('fades as its trades turn a day old', async () => {
    await passHours(7)
    expect(await changes()).toMatchObject({ agent_0: 0, agent_1: -43.75, agent_2: 800 })
    await passHours(6)
    expect(await changes()).toMatchObject({ agent_1: 0, agent_2: 800 })
    await passHours(48)
    expect(await changes()).toEqual({ agent_0: 0, agent_1: 0, agent_2: 0, agent_3: null })
    const waiting = sql`select count(*)::int as count from agent where day_moves_at is not null`
    expect(await server.deps.db.one(waiting)).toEqual({ count: 0 })
  })
})
