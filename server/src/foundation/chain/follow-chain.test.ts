import { eventTopics } from '@rookery/contracts'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { createFakeChain, type FakeChain } from '../../../test/fake-chain.js'
import { startServer } from '../../../test/start-server.js'
import { type BlockSink, LostLogs } from './block-sink.js'
import { createFollower, type Follower } from './follow-chain.js'

const server = await startServer()
const { db, clock, ids, log, database } = server.deps
afterAll(() => server.stop())

let chain: FakeChain
let follower: Follower
let calls: string[]

/** Records its calls. `Prepared` is the numbers of the blocks with logs. */
const recordingSink: BlockSink<readonly number[]> = {
  topics: [eventTopics.Trade, eventTopics.Launched],
  prepare: (blocks) => blocks.map(({ number }) => number),
  async apply(_, blocks, { catchingUp }) {
    if (blocks.length > 0) calls.push(`apply ${blocks.join(' ')}${catchingUp ? ' catching up' : ''}`)
  },
  undo: async (_, fromBlock) => void calls.push(`undo ${fromBlock}`),
  afterConfirmed: async (_, { from, to }) => void calls.push(`confirmed ${from} ${to}`),
  afterFinal: async (_, { from, to }) => void calls.push(`final ${from} ${to}`),
  findLastBlock: async () => 1,
  settle: async () => calls.push('settle') > 0,
}

function follow(sink: Partial<BlockSink<readonly number[]>> = {}): Follower {
  const sleep = { for: async () => {}, wake: () => {} }
  return createFollower({ db, clock, ids, log, chain, sleep, sink: { ...recordingSink, ...sink }, confirmations: 2 })
}

beforeEach(async () => {
  for (const table of ['chain_block', 'chain_cursor']) await database.pool.query(`delete from ${table}`)
  calls = []
  chain = createFakeChain()
  chain.finalLag = 2
  chain.mine([{ do: 'launch', agent: 0, amount: 1 }])
  follower = follow()
})
afterEach(() => follower.stop())

const buy = { do: 'buy', agent: 0, wallet: 1, amount: 1 } as const

test('passes each block to the sink once, then reports when it is confirmed and when it is final', async () => {
  await follower.catchUp()
  calls = []
  chain.mine([buy])
  await follower.catchUp()
  await follower.catchUp()
  expect(calls).toEqual(['apply 2', 'confirmed 0 1', 'settle', 'settle'])
  calls = []
  chain.mine()
  await follower.catchUp()
  expect(calls).toEqual(['confirmed 1 2', 'final 0 1', 'settle'])
})

test('has the sink undo what a reorganisation removed', async () => {
  chain.mine([buy])
  await follower.catchUp()
  calls = []
  chain.drop(1)
  chain.mine()
  chain.mine([buy])
  await follower.catchUp()
  expect(calls).toEqual(['undo 2', 'apply 3', 'confirmed 1 2', 'final 0 1', 'settle'])
})

test('reads old blocks in ranges, and marks them as old', async () => {
  for (let block = 0; block < 200; block++) chain.mine(block % 50 === 0 ? [buy] : [])
  await follower.catchUp()
  expect(calls.filter((call) => call.startsWith('apply'))).toEqual(['apply 1 2 52 102 catching up', 'apply 152'])
})

test('rewinds to the last complete block when the sink finds that logs are missing', async () => {
  let refusals = 3
  await follower.stop()
  follower = follow({
    async apply(db, blocks, options) {
      if (blocks.includes(2) && refusals-- > 0) throw new LostLogs('it', 2, 'one is missing')
      await recordingSink.apply(db, blocks, options)
    },
  })
  await follower.catchUp()
  chain.mine([buy])
  calls = []
  await follower.catchUp()
  expect(calls.filter((call) => !call.startsWith('confirmed') && !call.startsWith('final'))).toEqual([
    'undo 1',
    'apply 1 2',
    'settle',
  ])
})
