import { quoteBuy, quoteSell } from '@rookery/contracts'
import { makeDataDir, startChain } from '@rookery/embedded-chain/test/market'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { refused } from '../../../test/refusal.js'
import type { SeededAgent } from '../../../test/seed.js'
import { createShareMarket, OPERATOR_PRIVATE_KEY, type ShareMarket } from '../../../test/share-market.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { type Chain, createChain } from '../../foundation/chain/chain.js'
import { createHttpRpc, type Rpc, type RpcCall, RpcError } from '../../foundation/chain/rpc.js'

let server: TestServer
let market: ShareMarket
let alice: SeededAgent
let traders: SeededAgent[]
let stop: () => Promise<void>

/** What the node was sent: one entry for each request, with its calls. */
let requests: (readonly RpcCall[])[] = []
/** Stands between the service and the node. */
let intercept: (calls: readonly RpcCall[], send: () => ReturnType<Rpc['batch']>) => ReturnType<Rpc['batch']>
const pass: typeof intercept = (_, send) => send()

/** Holds what the node would answer until this many quotes wait for it, as if it were slow and they came at once. */
function holdUntil(quotes: number): void {
  arrivals = 0
  const all = new Promise<void>((resolve) => {
    onArrival = () => void (++arrivals === quotes && resolve())
  })
  intercept = async (_, send) => {
    await all
    return send()
  }
}
let arrivals = 0
let onArrival = () => {}

beforeAll(async () => {
  const folder = await makeDataDir()
  const embedded = await startChain(folder.dataDir)
  const node = createHttpRpc(embedded.rpcUrl)
  const batch: Rpc['batch'] = (calls, options) => {
    requests.push(calls)
    return intercept(calls, () => node.batch(calls, options))
  }
  intercept = pass
  const { chainId: id, contract } = embedded
  const real = createChain({ id, contract, rpc: { request: node.request, batch } })
  const chain: Chain = {
    ...real,
    findNewestBlock(atLeast) {
      onArrival()
      return real.findNewestBlock(atLeast)
    },
  }
  server = await startServer({ env: { OPERATOR_PRIVATE_KEY }, replace: { chain } })
  market = createShareMarket(server, embedded)
  const agents = await server.seed.agents('alice', 'bob', 'carol', 'dave', 'erin', 'frank')
  alice = agents.alice
  traders = Object.values(agents)
  await market.fund(...traders)
  await market.buy(alice, alice, 10)
  for (const trader of traders) await market.buy(trader, alice, 2)
  stop = async () => {
    await market.stop()
    await server.stop()
    await embedded.close()
    await folder.remove()
  }
})
afterAll(() => stop())
beforeEach(() => {
  intercept = pass
  requests = []
})

const trade = (side: 'buy' | 'sell', by: SeededAgent) =>
  ({ side, sharesSubject: alice.subject, amount: 1, walletAddress: by.wallet.address }) as const
const times = <T>(count: number, work: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => work(index))
const trader = (index: number) => traders[index % traders.length] as SeededAgent
const callsOf = (method: string) => requests.flat().filter((call) => call.method === method)

describe('quotes', () => {
  test('have the newest supply after every trade, while nothing follows the chain', async () => {
    const bob = trader(1)
    let supply = 22
    for (const side of ['buy', 'buy', 'sell', 'buy', 'sell', 'sell'] as const) {
      const quote = await server.client().getShareQuote({ ...trade(side, bob), slippageBps: 0 })
      const { priceAfterFeeWei } = (side === 'buy' ? quoteBuy : quoteSell)(BigInt(supply), 1n)
      expect([quote.supply, quote.limitPriceWei]).toEqual([supply, String(priceAfterFeeWei)])
      await market.send(bob.wallet, quote.transaction)
      supply += side === 'buy' ? 1 : -1
      expect((await server.client().getBuyPrice({ id: 'alice' })).supply).toBe(supply)
    }
  })

  test('of one agent in the same moment share what they ask the chain', async () => {
    holdUntil(50)
    const quotes = await Promise.all(
      times(50, () => server.client().getShareQuote({ side: 'buy', agentId: 'alice', amount: 1 })),
    )
    expect(new Set(quotes.map(({ supply }) => supply))).toEqual(new Set([22]))
    expect(requests.length).toBeLessThan(10)
    expect(callsOf('eth_call').length).toBeLessThan(10)
  })

  test('ask the chain once for what does not change within a block', async () => {
    const bob = trader(1)
    const anyone = server.client()
    for (const _ of times(5, () => 0)) await anyone.getShareQuote({ side: 'buy', agentId: 'alice', amount: 1 })
    expect(callsOf('eth_call')).toHaveLength(0)
    for (const _ of times(5, () => 0)) await anyone.getShareQuote(trade('sell', bob))
    // Its shares once, and every transaction is tried.
    expect(callsOf('eth_call')).toHaveLength(1 + 5)
    expect([callsOf('eth_getBalance'), callsOf('eth_gasPrice')].map(({ length }) => length)).toEqual([1, 1])
    expect(callsOf('eth_getBlockByNumber')).toHaveLength(10)
    requests = []
    await market.buy(bob, alice)
    const before = callsOf('eth_call').length
    expect((await anyone.getBuyPrice({ id: 'alice' })).supply).toBe(23)
    expect((await anyone.getSellPrice({ id: 'alice' })).supply).toBe(23)
    expect(callsOf('eth_call')).toHaveLength(before + 1)
    await market.sell(bob, alice)
  })

  test('for many wallets in the same moment are few requests to the node', async () => {
    holdUntil(50)
    const quotes = await Promise.all(
      times(50, (index) => server.client().getShareQuote(trade(index % 2 ? 'buy' : 'sell', trader(index)))),
    )
    expect(quotes.every(({ transaction }) => transaction)).toBe(true)
    expect(requests.length).toBeLessThan(25)
  })

  test('are refused while the chain does not answer', async () => {
    intercept = async () => {
      throw new RpcError('the chain is away', -32_000)
    }
    const anyone = server.client()
    const gift = { sharesSubject: alice.subject, to: trader(2).wallet.address, amount: 1 }
    expect(await refused(anyone.getShareQuote({ side: 'buy', agentId: 'alice', amount: 1 }))).toBe(
      '502 CHAIN_UNAVAILABLE',
    )
    expect(await refused(anyone.getShareQuote(trade('sell', trader(1))))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(anyone.getBuyPrice({ id: 'alice' }))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(anyone.getSellPrice({ id: 'alice' }))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(anyone.getShareTransfer({ ...gift, walletAddress: trader(1).wallet.address }))).toBe(
      '502 CHAIN_UNAVAILABLE',
    )
  })

  test('are never older than the index, even from a node that lags', async () => {
    await market.buy(trader(1), alice)
    const chain = server.deps.chain
    const newest = (await chain?.head())?.number ?? 0
    // The first answers come from a node that has not received the newest block.
    let lagging = 3
    intercept = async (calls, send) => {
      if (lagging-- <= 0) return send()
      const behind = `0x${(newest - 1).toString(16)}`
      const outcomes = await send()
      return calls.map(({ method, params }, index) => {
        if (method === 'eth_getBlockByNumber') return { result: { number: behind, timestamp: '0x1' } }
        if (params.includes(`0x${newest.toString(16)}`)) return { error: new RpcError('header not found', -32_000) }
        return outcomes[index] ?? { result: null }
      })
    }
    expect(await server.client().getBuyPrice({ id: 'alice' })).toMatchObject({ supply: 23, blockNumber: newest })
    expect(lagging).toBeLessThanOrEqual(0)
  })
})
