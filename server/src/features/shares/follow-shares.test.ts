import fc from 'fast-check'
import sql from 'sql-template-tag'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Action, createFakeChain, type FakeChain } from '../../../test/fake-chain.js'
import { expectCharts, INTERVALS } from '../../../test/share-charts.js'
import { readShareState, rebuildFigures } from '../../../test/share-figures.js'
import { startServer } from '../../../test/start-server.js'
import type { Follower } from '../../foundation/chain/follow-chain.js'
import { RpcError } from '../../foundation/chain/rpc.js'
import { createShareFollower } from '../../start/share-follower.js'

const server = await startServer()
const { db } = server.deps
afterAll(() => server.stop())

const noWaiting = { for: async () => {}, wake: () => {} }
const followers: Follower[] = []

function follow(chain: FakeChain, options: Partial<Parameters<typeof createShareFollower>[1]> = {}): Follower {
  const follower = createShareFollower(server.deps, { chain, sleep: noWaiting, ...options })
  followers.push(follower)
  return follower
}

async function stopAll(): Promise<void> {
  for (const follower of followers.splice(0)) await follower.stop()
}

/** Resets the database to the state before the first follower. */
async function forgetAll(): Promise<void> {
  await stopAll()
  for (const table of [
    'trade',
    'share_transfer',
    'share_launch',
    'share_holding',
    'share_cost',
    'share_candle',
    'trader',
    'chain_block',
    'chain_cursor',
    'stale_value',
  ])
    await server.deps.database.pool.query(`delete from ${table}`)
  await db.run(sql`update trade_total set trades_count = 0, volume_wei = 0`)
  await db.run(sql`update agent set supply = 0, holders_count = 0, price_wei = 0, volume_wei = 0, trades_count = 0,
    holding_value_wei = 0, launched_at = null, day_supply = null, day_moves_at = null`)
  await db.run(sql`update agent_trend set trend = '-infinity'`)
}

async function addAgents(chain: FakeChain): Promise<void> {
  for (const { owner, name, subject } of chain.agents)
    await db.run(sql`
      insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
      values (${server.deps.ids.next()}, ${name}, ${name}, ${name}, ${owner}, ${subject}, 'active', now(), now())
      on conflict do nothing`)
}

/** The index of a follower that has read this chain from the beginning. */
async function freshIndex(chain: FakeChain) {
  await forgetAll()
  await follow(chain).catchUp()
  return readShareState(db)
}

/** Deletes all derived data, derives it again from the events, and compares. */
async function expectDerivable(): Promise<void> {
  const state = await readShareState(db)
  const rebuilt = await rebuildFigures(db)
  expect(state.holdings).toEqual(rebuilt.holdings)
  expect(state.traders).toEqual(rebuilt.traders)
  expect(state.costs).toEqual(rebuilt.costs)
  for (const [index, agent] of (rebuilt.agents ?? []).entries())
    expect(state.agents?.[index]).toMatchObject(agent as object)
  for (const { subject } of createFakeChain().agents)
    for (const interval of INTERVALS) await expectCharts(db, subject, { interval })
}

const launchAll: Action[] = [0, 1, 2, 3].map((agent) => ({ do: 'launch', agent, amount: 1 + agent }))
const buy = (agent: number, wallet: number, amount = 1): Action => ({ do: 'buy', agent, wallet, amount })
const sell = (agent: number, wallet: number, amount = 1): Action => ({ do: 'sell', agent, wallet, amount })
const give = (agent: number, wallet: number, to: number, amount = 1): Action => ({
  do: 'transfer',
  agent,
  wallet,
  to,
  amount,
})

const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('launch' as const), agent: fc.nat(3), amount: fc.integer({ min: 1, max: 3 }) }),
  fc.record({
    do: fc.constantFrom('buy' as const, 'sell' as const),
    agent: fc.nat(3),
    wallet: fc.nat(4),
    amount: fc.integer({ min: 1, max: 3 }),
  }),
  fc.record({
    do: fc.constant('transfer' as const),
    agent: fc.nat(3),
    wallet: fc.nat(4),
    to: fc.nat(4),
    amount: fc.integer({ min: 1, max: 2 }),
  }),
)
const blocks = (min: number, max: number) =>
  fc.array(fc.array(action, { maxLength: 4 }), { minLength: min, maxLength: max })

let chain: FakeChain
beforeAll(() => addAgents(createFakeChain()))
beforeEach(async () => {
  await forgetAll()
  chain = createFakeChain()
  chain.mine(launchAll)
})
afterEach(stopAll)

const supplies = async () =>
  (
    await db.many<{ supply: number }>(sql`select supply from agent where username like 'agent\_%' order by username`)
  ).map((row) => row.supply)

describe('following', () => {
  test('stores launches, trades, transfers and everything derived from them', async () => {
    chain.mine([buy(0, 1, 2), give(0, 1, 2), sell(0, 1)])
    await follow(chain).catchUp()
    expect(await supplies()).toEqual([2, 2, 3, 4])
    const held = await db.many(
      sql`select holder, amount from share_holding where subject = ${chain.agents[0]?.subject} order by holder`,
    )
    expect(held).toEqual([
      { holder: chain.wallets[0], amount: 1 },
      { holder: chain.wallets[2], amount: 1 },
    ])
    await expectDerivable()
  })

  test('continues after a restart at any block, and applies nothing twice', async () => {
    for (let round = 0; round < 6; round++) {
      chain.mine([buy(0, round % 5), buy(1, 1)])
      for (let start = 0; start < 2; start++) {
        await follow(chain).catchUp()
        await stopAll()
      }
    }
    const state = await readShareState(db)
    expect(state).toEqual(await freshIndex(chain))
    expect(await supplies()).toEqual([7, 8, 3, 4])
  })

  test('reads old blocks in ranges and recent ones one by one', async () => {
    for (let block = 0; block < 400; block++) chain.mine(block % 7 === 0 ? [buy(block % 4, block % 5)] : [])
    const progress: number[] = []
    await follow(chain, { onProgress: ({ at }) => progress.push(at) }).catchUp()
    expect(progress.at(-1)).toBe(chain.height - 64)
    expect(chain.countRequests('eth_getLogs')).toBeLessThan(100)
    await expectDerivable()
    expect((await supplies()).reduce((sum, supply) => sum + supply)).toBe(10 + 58)
  })

  test('runs in one process at a time, and another takes over when it ends', async () => {
    const first = follow(chain)
    await first.catchUp()
    chain.mine([buy(0, 1)])
    const second = createShareFollower(server.deps, { chain, sleep: noWaiting })
    let turns = 0
    const standing = createShareFollower(server.deps, {
      chain,
      sleep: { ...noWaiting, for: async () => void (++turns === 3 && (await first.stop())) },
    })
    followers.push(second, standing)
    await standing.catchUp()
    expect(turns).toBe(3)
    expect(await supplies()).toEqual([2, 2, 3, 4])
  })

  test('distinguishes pending, confirmed and final blocks', async () => {
    const state = () => db.one<object>(sql`select number, confirmed_number, final_number from chain_cursor`)
    for (let block = 0; block < 9; block++) chain.mine()
    await follow(chain, { confirmations: 3 }).catchUp()
    expect(await state()).toEqual({ number: 10n, confirmed_number: 8n, final_number: -1n })
    await stopAll()
    chain.finalLag = 5
    await follow(chain, { confirmations: 3 }).catchUp()
    expect(await state()).toEqual({ number: 10n, confirmed_number: 8n, final_number: 5n })
    await stopAll()
    chain.finalLag = 0
    await follow(chain, { confirmations: 3 }).catchUp()
    expect(await state()).toEqual({ number: 10n, confirmed_number: 10n, final_number: 10n })
  })

  test('refuses a database that belongs to another contract', async () => {
    await follow(chain).catchUp()
    await stopAll()
    const other = { ...chain, contract: '0x00000000000000000000000000000000000000ff' as const, rpc: chain.rpc }
    await expect(createShareFollower(server.deps, { chain: other, sleep: noWaiting }).catchUp()).rejects.toThrow(
      'CONTRACT_ADDRESS',
    )
  })
})

describe('a reorganisation', () => {
  test('of any depth up to 50 leaves the same rows as a fresh index', async () => {
    await fc.assert(
      fc.asyncProperty(
        blocks(50, 60),
        fc.constantFrom(3, 400, 20_000),
        fc.array(fc.record({ depth: fc.integer({ min: 1, max: 50 }), branch: blocks(1, 55), keeps: fc.boolean() }), {
          minLength: 1,
          maxLength: 4,
        }),
        async (trunk, secondsPerBlock, forks) => {
          await forgetAll()
          const chain = createFakeChain({ secondsPerBlock })
          for (const actions of trunk) chain.mine(actions)
          const follower = follow(chain)
          await follower.catchUp()
          for (const { depth, branch, keeps } of forks) {
            const dropped = chain.drop(Math.min(depth, chain.height))
            if (keeps) chain.mineAgain(dropped)
            for (const actions of branch) chain.mine(actions)
            for (let doubt = 0; doubt < 12; doubt++) await follower.catchUp()
          }
          const followed = await readShareState(db)
          await expectDerivable()
          expect(followed).toEqual(await freshIndex(chain))
        },
      ),
      { numRuns: 12 },
    )
  }, 120_000)

  test('keeps the id of a trade whose transaction stays', async () => {
    chain.mine([buy(0, 1), buy(0, 2)])
    const follower = follow(chain)
    await follower.catchUp()
    const ids = () =>
      db.many<{ id: string; position: bigint }>(
        sql`select id, position from trade where subject = ${chain.agents[0]?.subject} order by position`,
      )
    const before = await ids()
    const dropped = chain.drop(1)
    chain.mine([buy(1, 1)])
    chain.mineAgain(dropped)
    await follower.catchUp()
    const after = await ids()
    expect(after.map((row) => row.id)).toEqual(before.map((row) => row.id))
    expect(after[1]?.position).not.toBe(before[1]?.position)
  })

  test('closes holdings that undone trades had opened, and reopens those that undone sales had closed', async () => {
    chain.mine([buy(0, 1)])
    const follower = follow(chain)
    await follower.catchUp()
    chain.mine([buy(0, 2), sell(0, 1)])
    await follower.catchUp()
    const holders = async () =>
      (
        await db.many<{ holder: string }>(
          sql`select holder from share_holding where subject = ${chain.agents[0]?.subject} order by holder`,
        )
      ).map((row) => row.holder)
    expect(await holders()).toEqual([chain.wallets[0], chain.wallets[2]])
    chain.drop(1)
    chain.mine()
    await follower.catchUp()
    expect(await holders()).toEqual([chain.wallets[0], chain.wallets[1]])
  })

  test('undoes a launch', async () => {
    const follower = follow(chain)
    await follower.catchUp()
    chain.drop(1)
    chain.mine()
    await follower.catchUp()
    expect(await db.one(sql`select count(*)::int as launched from agent where launched_at is not null`)).toEqual({
      launched: 0,
    })
    expect(await supplies()).toEqual([0, 0, 0, 0])
  })

  test('that only shortens the chain is accepted when the chain keeps reporting it', async () => {
    chain.mine([buy(0, 1)])
    chain.mine([buy(0, 1)])
    const follower = follow(chain)
    await follower.catchUp()
    chain.drop(2)
    await follower.catchUp()
    expect((await supplies())[0]).toBe(3)
    for (let turn = 0; turn < 12; turn++) await follower.catchUp()
    expect((await supplies())[0]).toBe(1)
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })

  test('deeper than all stored blocks makes the follower read the chain from the beginning', async () => {
    for (let block = 0; block < 20; block++) chain.mine([buy(0, 1)])
    const follower = follow(chain)
    await follower.catchUp()
    const other = createFakeChain()
    other.mine(launchAll)
    for (let block = 0; block < 5; block++) other.mine([buy(2, 3)])
    await db.run(sql`update chain_block set hash = 'gone'`)
    const moved = follow(other)
    await follower.stop()
    for (let turn = 0; turn < 12; turn++) await moved.catchUp()
    expect(await supplies()).toEqual([1, 2, 8, 4])
    expect(await readShareState(db)).toEqual(await freshIndex(other))
  })
})

describe('a wrong answer', () => {
  beforeEach(() => {
    for (let block = 0; block < 8; block++) chain.mine([buy(block % 4, block % 5), give(3, 3, 1)])
  })

  const far = () => {
    for (let block = 0; block < 300; block++) chain.mine([buy(block % 4, block % 5)])
  }

  test('without the logs of a block is noticed by the block’s filter', async () => {
    const seen = new Set<string>()
    chain.lie = ({ method, params }) => {
      const { blockHash } = (params[0] ?? {}) as { blockHash?: string }
      if (method !== 'eth_getLogs' || !blockHash || seen.has(blockHash)) return undefined
      seen.add(blockHash)
      return []
    }
    await follow(chain).catchUp()
    expect(seen.size).toBeGreaterThan(5)
    chain.lie = undefined
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })

  test('without some logs of a range is noticed by the next event', async () => {
    far()
    let wrongAnswers = 0
    chain.lie = ({ method, params }, honest) => {
      if (method !== 'eth_getLogs' || !(params[0] as { fromBlock?: string }).fromBlock || ++wrongAnswers > 2)
        return undefined
      return (honest() as unknown[]).filter((_, index) => index !== 5)
    }
    await follow(chain).catchUp()
    expect(wrongAnswers).toBeGreaterThan(2)
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })

  test('that hid an old event is repaired by reading that event’s block again', async () => {
    const hidden = 6
    chain.lie = ({ method, params }, honest) => {
      const { blockHash } = (params[0] ?? {}) as { blockHash?: string }
      if (method !== 'eth_getLogs' || !blockHash) return undefined
      const logs = honest() as { blockNumber: string }[]
      return logs.filter((log) => Number(log.blockNumber) !== hidden)
    }
    const follower = follow(chain)
    // The hidden block is the last one of its agent, so no later event contradicts it yet.
    const rest = chain.height - hidden
    const dropped = chain.drop(rest)
    await follower.catchUp()
    chain.lie = undefined
    chain.mineAgain(dropped)
    far()
    await follower.catchUp()
    expect(server.logged.join('\n')).toContain('events are missing')
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })

  test.each([
    ['with every log twice', (logs: unknown[]) => [...logs, ...logs]],
    ['with the logs in the wrong order', (logs: unknown[]) => [...logs].reverse()],
  ])('%s changes nothing', async (_, twist) => {
    far()
    chain.lie = ({ method }, honest) => (method === 'eth_getLogs' ? twist(honest() as unknown[]) : undefined)
    await follow(chain).catchUp()
    chain.lie = undefined
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })

  test('with an older head than before is ignored until the node catches up', async () => {
    const follower = follow(chain)
    await follower.catchUp()
    const before = await readShareState(db)
    const logged = server.logged.length
    const stale = await chain.rpc.request('eth_getBlockByNumber', ['0x4', false])
    let wrongAnswers = 0
    chain.lie = ({ method, params }) =>
      method === 'eth_getBlockByNumber' && params[0] === 'latest' && ++wrongAnswers <= 5 ? stale : undefined
    for (let turn = 0; turn < 7; turn++) await follower.catchUp()
    expect(wrongAnswers).toBe(7)
    expect(await readShareState(db)).toEqual(before)
    expect(server.logged.slice(logged).join()).not.toContain('reorganised')
  })

  test('with logs of another contract or outside of the range is not applied', async () => {
    far()
    let wrongAnswers = 0
    chain.lie = ({ method, params }, honest) => {
      if (method !== 'eth_getLogs' || !(params[0] as { fromBlock?: string }).fromBlock || ++wrongAnswers > 4)
        return undefined
      const logs = honest() as { address: string; blockNumber: string }[]
      return logs.map((log, index) =>
        index > 0 ? log : wrongAnswers % 2 ? { ...log, address: chain.wallets[0] } : { ...log, blockNumber: '0xffff' },
      )
    }
    await follow(chain).catchUp()
    expect(wrongAnswers).toBeGreaterThan(4)
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })
})

describe('a failing node', () => {
  test.each([
    ['limits calls', () => new RpcError('too many requests', 429)],
    ['is over its limit', () => new RpcError('limit exceeded', -32005)],
    ['does not answer', () => new RpcError('the chain does not answer (TimeoutError)', undefined)],
    ['is still starting', () => new RpcError('the chain is being replayed', -32000)],
  ])('that %s is asked again', async (_, error) => {
    for (let block = 0; block < 200; block++) chain.mine([buy(block % 4, block % 5)])
    let [requests, refused, luck] = [0, 0, 1]
    chain.refuse = () => {
      requests++
      luck = (luck * 48_271) % 2_147_483_647
      if (luck % 3 !== 0) return
      refused++
      throw error()
    }
    await follow(chain).catchUp()
    chain.refuse = undefined
    expect(refused).toBeGreaterThan(requests / 5)
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })

  test('that accepts only small ranges is asked for small ranges', async () => {
    for (let block = 0; block < 900; block++) chain.mine(block % 3 ? [] : [buy(block % 4, block % 5)])
    const sizes: number[] = []
    chain.lie = ({ method, params }) => {
      const { fromBlock, toBlock } = (params[0] ?? {}) as { fromBlock?: string; toBlock?: string }
      if (method !== 'eth_getLogs' || fromBlock === undefined) return undefined
      const size = Number(toBlock) - Number(fromBlock) + 1
      if (size > 100) throw new RpcError('exceed maximum block range: 100', -32602)
      sizes.push(size)
      return undefined
    }
    await follow(chain).catchUp()
    expect(Math.max(...sizes)).toBeGreaterThan(50)
    expect(sizes.reduce((sum, size) => sum + size)).toBe(chain.height - 64 + 1)
    chain.lie = undefined
    expect(await readShareState(db)).toEqual(await freshIndex(chain))
  })

  test('of another chain is not followed', async () => {
    chain.lie = ({ method }) => (method === 'eth_chainId' ? '0x38' : undefined)
    await expect(follow(chain).catchUp()).rejects.toThrow('the node is of chain 56, not 31337')
    expect(await supplies()).toEqual([0, 0, 0, 0])
  })
})
