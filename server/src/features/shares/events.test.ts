import type { LiveEvent } from '@rookery/api'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFakeChain } from '../../../test/fake-chain.js'
import { startServer } from '../../../test/start-server.js'
import { createShareFollower } from '../../start/share-follower.js'

const server = await startServer()
const chain = createFakeChain()
const sleep = { for: async () => {}, wake: () => {} }
const follower = createShareFollower(server.deps, { chain, sleep, confirmations: 2 })
afterAll(async () => {
  await follower.stop()
  await server.stop()
})

beforeAll(async () => {
  for (const { owner, name, subject } of chain.agents)
    await server.deps.db.run(sql`
      insert into agent (id, username, name, display_name, wallet_address, subject, status, created_at, updated_at)
      values (${server.deps.ids.next()}, ${name}, ${name}, ${name}, ${owner}, ${subject}, 'active', now(), now())`)
  chain.finalLag = 3
  await follower.catchUp()
})

const words = (event: LiveEvent) => {
  if (!event.type.startsWith('trade.') || !('shareAmount' in event.data)) return `${event.topic} ${event.type}`
  const { action, shareAmount, status } = event.data
  return `${event.topic} ${event.type} ${action} ${shareAmount} ${status}`
}

async function mine(...actions: Parameters<typeof chain.mine>): Promise<void> {
  chain.mine(...actions)
  await follower.catchUp()
}

describe('the live trade feed', () => {
  test('reports a trade when it is in a block, when it is confirmed, and when it is final', async () => {
    const trades = await server.listen(server.client(), ['trades', 'agent:agent_0'])
    await mine([{ do: 'launch', agent: 0, amount: 2 }])
    expect((await trades.take(2)).map(words)).toEqual([
      'agent:agent_0 agent.launched',
      'trades trade.pending bought 2 pending',
    ])
    await mine([{ do: 'buy', agent: 0, wallet: 1, amount: 1 }])
    expect((await trades.take(2)).map(words)).toEqual([
      'trades trade.pending bought 1 pending',
      'trades trade.confirmed bought 2 confirmed',
    ])
    await mine()
    await mine()
    await mine()
    expect((await trades.take(3)).map(words)).toEqual([
      'trades trade.confirmed bought 1 confirmed',
      'trades trade.final bought 2 final',
      'trades trade.final bought 1 final',
    ])
    await trades.stop()
  })

  test('reverts a trade that a reorganisation removed, and reports it again when it reappears', async () => {
    const trades = await server.listen(server.client(), ['agent:agent_1'])
    await mine([{ do: 'launch', agent: 1, amount: 1 }])
    await mine([{ do: 'buy', agent: 1, wallet: 2, amount: 3 }])
    const before = await trades.take(4)
    expect(before.map(words)).toEqual([
      'agent:agent_1 agent.launched',
      'agent:agent_1 trade.pending bought 1 pending',
      'agent:agent_1 trade.pending bought 3 pending',
      'agent:agent_1 trade.confirmed bought 1 confirmed',
    ])
    const dropped = chain.drop(1)
    chain.mine()
    chain.mineAgain(dropped)
    await follower.catchUp()
    const after = await trades.take(2)
    expect(after.map(words)).toEqual([
      'agent:agent_1 trade.reverted bought 3 pending',
      'agent:agent_1 trade.pending bought 3 pending',
    ])
    const idOf = (event: LiveEvent | undefined) => event && 'id' in event.data && event.data.id
    expect(idOf(after[0])).toBe(idOf(before[2]))
    expect(idOf(after[1])).toBe(idOf(before[2]))
    const again = await server.listen(server.client(), ['agent:agent_1'], before[1]?.id)
    expect((await again.take(4)).map(words)).toEqual([...before.slice(2), ...after].map(words))
    await Promise.all([trades.stop(), again.stop()])
  })
})
