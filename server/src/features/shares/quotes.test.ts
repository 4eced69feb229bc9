import { agentSharesAbi, quoteBuy, quoteSell } from '@rookery/contracts'
import sql from 'sql-template-tag'
import { decodeFunctionData, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../../test/seed.js'
import { type ShareMarket, startShareMarket } from '../../../test/share-market.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { createChain } from '../../foundation/chain/chain.js'
import { RpcError } from '../../foundation/chain/rpc.js'

let market: ShareMarket
let alice: SeededAgent
let bob: SeededAgent
let carol: SeededAgent
let dave: SeededAgent
const anyone = () => market.server.client()

beforeAll(async () => {
  market = await startShareMarket()
  ;({ alice, bob, carol, dave } = await market.server.seed.agents('alice', 'bob', 'carol', 'dave'))
  await market.fund(alice, bob, carol)
  await market.buy(alice, alice, 3)
  await market.buy(bob, alice, 2)
})
afterAll(() => market.stop())

const quote = (side: 'buy' | 'sell', amount: number, by?: Pick<SeededAgent, 'wallet'>, of = alice) =>
  anyone().getShareQuote({
    side,
    amount,
    sharesSubject: of.subject,
    ...(by && { walletAddress: by.wallet.address }),
  })
const transfer = (amount: number, by: SeededAgent, to: string) =>
  anyone().getShareTransfer({ agentId: 'alice', amount, to: to as `0x${string}`, walletAddress: by.wallet.address })

describe('GET /v1/share/quote', () => {
  test('states price, fees, impact and bounds to the wei', async () => {
    const buy = await quote('buy', 2, bob)
    const { priceWei, protocolFeeWei, priceAfterFeeWei } = quoteBuy(5n, 2n)
    const limit = (priceAfterFeeWei * 101n) / 100n
    expect(buy).toMatchObject({
      side: 'buy',
      sharesSubject: alice.subject,
      amount: 2,
      supply: 5,
      priceWei: String(priceWei),
      protocolFeeWei: String(protocolFeeWei),
      subjectFeeWei: String(protocolFeeWei),
      priceAfterFeeWei: String(priceAfterFeeWei),
      priceImpactBps: 9600,
      slippageBps: 100,
      limitPriceWei: String(limit),
      launch: false,
      warnings: [],
    })
    expect(buy.summary).toMatch(/^Buy 2 shares of @alice for 0\.0041937\d* BNB with fees, at most 0\.004235\d* BNB\.$/)
    expect(BigInt(buy.transaction?.value ?? 0)).toBe(limit)
    const data = buy.transaction?.data ?? '0x'
    expect(decodeFunctionData({ abi: agentSharesAbi, data })).toMatchObject({
      functionName: 'buyShares',
      args: [expect.any(String), 2n, limit, expect.any(BigInt)],
    })
  })

  test('bounds what a sale pays', async () => {
    const sale = await anyone().getShareQuote({
      side: 'sell',
      agentId: 'alice',
      amount: 1,
      slippageBps: 0,
      walletAddress: bob.wallet.address,
    })
    const { priceAfterFeeWei } = quoteSell(5n, 1n)
    expect(sale).toMatchObject({ limitPriceWei: String(priceAfterFeeWei), priceImpactBps: -3600, slippageBps: 0 })
    expect(sale.transaction).toMatchObject({ value: '0x0', gasLimit: '150000' })
    // The contract enforces the bound: after another sale this one would pay less.
    await market.sell(alice, alice)
    await expect(market.send(bob.wallet, sale.transaction)).rejects.toThrow()
    await market.buy(alice, alice)
  })

  test('without a wallet has no transaction', async () => {
    const { transaction, expiresAt } = await quote('sell', 1)
    expect(transaction).toBeUndefined()
    const lives = new Date(expiresAt).getTime() - market.server.clock.now().getTime()
    expect(lives).toBeGreaterThan(59_000)
    expect(lives).toBeLessThanOrEqual(60_000)
  })

  test('launches with several shares at once', async () => {
    const open = await quote('buy', 3, undefined, carol)
    expect(open).toMatchObject({ launch: true, supply: 0 })
    expect(open.transaction).toBeUndefined()
    const { transaction, summary, priceAfterFeeWei, limitPriceWei } = await quote('buy', 3, carol, carol)
    expect(summary).toBe('Launch the shares of @carol and take the first 3 for 0.00034375 BNB with fees.')
    expect([priceAfterFeeWei, limitPriceWei]).toEqual(['343750000000000', '343750000000000'])
    await market.send(carol.wallet, transaction)
    await market.follow()
    expect(await anyone().getAgent({ identifier: 'carol' })).toMatchObject({ totalSupply: 3, tradeable: true })
  })

  test('warns of a wallet that cannot pay, without refusing it', async () => {
    const { warnings, transaction } = await quote('buy', 1, dave)
    expect(warnings.map(({ code }) => code)).toEqual(['INSUFFICIENT_FUNDS'])
    const wallet = dave.wallet.address.toLowerCase()
    expect(warnings[0]?.message).toMatch(/^The wallet has 0 BNB, and the transaction may need 0\.\d+ BNB with gas: /)
    expect(warnings[0]?.message).toContain(`POST /local/faucet {"address": "${wallet}"} gives it 10 test BNB.`)
    expect(transaction).toBeDefined()
  })

  test('refuses trades that break the rules', async () => {
    const { erin } = await market.server.seed.pending('erin')
    const { frank } = await market.server.seed.agents('frank')
    await market.server.deps.db.run(sql`update agent set status = 'suspended' where id = ${frank.id}`)
    expect(await refused(anyone().getShareQuote({ side: 'buy', amount: 1 }))).toBe('400 INVALID_INPUT')
    expect(await refused(anyone().getShareQuote({ side: 'buy', amount: 1, agentId: 'nobody_here' }))).toBe(
      '404 AGENT_NOT_FOUND',
    )
    expect(await refused(anyone().getShareQuote({ side: 'buy', amount: 1, agentId: 'me' }))).toBe('401 UNAUTHENTICATED')
    expect(await refused(quote('buy', 1, erin, erin))).toBe('400 AGENT_NOT_VERIFIED')
    expect(await refused(quote('buy', 1, dave, erin))).toBe('400 ONLY_SUBJECT_CAN_BUY_FIRST_SHARE')
    expect((await anyone().getShareQuote({ side: 'buy', amount: 1, agentId: 'erin' })).priceWei).toBe('0')
    expect(await refused(quote('buy', 1, frank, frank))).toBe('403 AGENT_SUSPENDED')
    expect(await refused(quote('buy', 1, bob, dave))).toBe('400 ONLY_SUBJECT_CAN_BUY_FIRST_SHARE')
    expect(await refused(quote('sell', 1, dave, dave))).toBe('400 INSUFFICIENT_SUPPLY')
    expect(await refused(quote('sell', 6))).toBe('400 INSUFFICIENT_SUPPLY')
    expect(await refused(quote('buy', 16_777_215))).toBe('400 INVALID_INPUT')
  })

  test('refuses more than the wallet holds', async () => {
    expect(await refused(quote('sell', 3, bob))).toBe('400 INSUFFICIENT_BALANCE')
    expect(await refused(quote('sell', 3, alice))).toBe('400 OWNER_CANNOT_SELL_LAST_SHARE')
    expect(await refused(transfer(3, bob, carol.wallet.address))).toBe('400 INSUFFICIENT_SHARES_FOR_TRANSFER')
    expect(await refused(transfer(3, alice, carol.wallet.address))).toBe('400 OWNER_CANNOT_SELL_LAST_SHARE')
  })

  test('accepts the spellings of deployed clients', async () => {
    const { url } = market.server
    const get = async (path: string, query: Record<string, string>) => {
      const response = await fetch(`${url}${path}?${new URLSearchParams(query)}`)
      return (await response.json()) as { transaction?: object; side?: string }
    }
    const both = { shares_subject: alice.subject, amount: '1', wallet_address: bob.wallet.address }
    const trade = await get('/v1/share/quote', { ...both, action: 'buy' })
    expect(trade).toMatchObject({ side: 'buy', transaction: { chainId: 31_337 } })
    const gift = await get('/v1/share/transfer', { ...both, to_address: carol.wallet.address })
    expect(gift).toMatchObject({ transaction: { value: '0x0' } })
  })
})

describe('GET /v1/share/transfer', () => {
  test('refuses receivers that the contract refuses', async () => {
    for (const to of [zeroAddress, market.chain.contract, alice.subject, bob.wallet.address])
      expect(await refused(transfer(1, bob, to))).toBe('400 INVALID_TO_ADDRESS')
    expect(
      await refused(
        anyone().getShareTransfer({
          agentId: 'dave',
          to: bob.wallet.address,
          amount: 1,
          walletAddress: dave.wallet.address,
        }),
      ),
    ).toBe('400 INSUFFICIENT_SHARES_FOR_TRANSFER')
  })
})

describe('prices', () => {
  test('are those of the curve', async () => {
    const buy = quoteBuy(5n, 4n)
    expect(await anyone().getBuyPrice({ id: 'alice', amount: 4 })).toMatchObject({
      priceWei: String(buy.priceWei),
      protocolFeeWei: String(buy.protocolFeeWei),
      subjectFeeWei: String(buy.subjectFeeWei),
      priceAfterFeeWei: String(buy.priceAfterFeeWei),
      amount: 4,
      supply: 5,
      blockNumber: (await market.server.deps.chain?.head())?.number,
      subjectAddress: alice.subject,
    })
    const sale = await anyone().getSellPrice({ id: alice.subject })
    expect(sale).toMatchObject({ priceAfterFeeWei: String(quoteSell(5n, 1n).priceAfterFeeWei), amount: 1 })
    expect(await refused(anyone().getSellPrice({ id: 'alice', amount: 6 }))).toBe('400 INSUFFICIENT_SUPPLY')
    expect(await refused(anyone().getBuyPrice({ id: 'nobody_here' }))).toBe('404 AGENT_NOT_FOUND')
  })
})

describe('a chain that fails', () => {
  let other: TestServer
  let grace: SeededAgent
  const request = () =>
    ({ side: 'buy', sharesSubject: grace.subject, amount: 1, walletAddress: grace.wallet.address }) as const

  async function serve(options: Parameters<typeof startServer>[0]): Promise<void> {
    other = await startServer(options)
    grace = (await other.seed.agents('grace')).grace
  }

  test('is quoted when it would refuse a transaction for a reason without a code', async () => {
    const env = { OPERATOR_PRIVATE_KEY: `0x${'bb'.repeat(32)}`, PRICE_FEED: market.chain.priceFeed }
    await serve({ env, replace: { embeddedChain: market.chain } })
    const { status, code, message, details } = await refusal(other.client().getShareQuote(request()))
    expect([status, code]).toEqual([400, 'TRANSACTION_WOULD_REVERT'])
    expect(message).toContain('the launch permit is not signed by the operator of the contract')
    expect(details?.[0]?.message).toBe('WrongSigner')
    expect(await other.client().getBnbPrice()).toMatchObject({ source: 'chainlink', stale: false })
    other.clock.advance(400 * 24 * 3_600_000)
    expect(await other.client().getBnbPrice()).toMatchObject({ source: 'chainlink', stale: true })
    await other.stop()
  })

  test('is reported as unavailable when it does not answer', async () => {
    const refuse = async () => {
      throw new RpcError('the chain is away', -32_000)
    }
    const { id, contract } = market.server.deps.chain ?? { id: 0, contract: zeroAddress }
    await serve({ replace: { chain: createChain({ id, contract, rpc: { request: refuse, batch: refuse } }) } })
    expect(await refused(other.client().getShareQuote(request()))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(other.client().getBuyPrice({ id: 'grace' }))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(other.client().getBnbPrice())).toBe('502 CHAIN_UNAVAILABLE')
    await other.stop()
  })

  test('is not needed for prices where there is none', async () => {
    await serve({})
    expect((await other.client().getBuyPrice({ id: 'grace', amount: 2 })).priceWei).toBe('62500000000000')
    const stranger = { walletAddress: createWallet().address }
    expect(await refused(other.client().getShareQuote(request()))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(other.client().getShareQuote({ ...request(), ...stranger }))).toBe(
      '400 ONLY_SUBJECT_CAN_BUY_FIRST_SHARE',
    )
    expect(await refused(other.client().getBnbPrice())).toBe('502 CHAIN_UNAVAILABLE')
    await other.stop()
  })
})
