import { MAX_SUPPLY, quoteBuy } from '@rookery/contracts'
import { at } from '@rookery/contracts/test/chain'
import sql from 'sql-template-tag'
import { type Address, parseEther, zeroAddress } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ShareChain, startShareServer } from '../../test/chain.js'
import { refusal, refused } from '../../test/refusal.js'
import { createWallet, type SeededAgent } from '../../test/seed.js'
import { startServer, type TestServer } from '../../test/start-server.js'
import type { Follower } from '../chain/follow-chain.js'

let it: ShareChain
let server: TestServer
let follower: Follower
let alice: SeededAgent
let bob: SeededAgent
let quiet: SeededAgent
const anyone = () => server.client()

beforeAll(async () => {
  ;({ it, server, follower } = await startShareServer())
  ;({ alice, bob, quiet } = await server.seed.agents('alice', 'bob', 'quiet'))
  for (const { wallet } of [alice, bob, quiet]) await it.fund(wallet.address)
  await trade('buy', alice, alice, 3)
  await trade('buy', bob, alice, 2)
})
afterAll(() => server.stop())

type Side = 'buy' | 'sell'

const quote = (side: Side, who: SeededAgent, of: SeededAgent, amount = 1) =>
  anyone().getShareQuote({ side, sharesSubject: of.subject, amount, walletAddress: who.wallet.address })

async function trade(side: Side, who: SeededAgent, of: SeededAgent, amount = 1): Promise<void> {
  await it.send(who.wallet, (await quote(side, who, of, amount)).transaction)
  await follower.catchUp()
}

const transfer = (who: SeededAgent, of: SeededAgent, to: Address, amount = 1) =>
  anyone().getShareTransfer({ sharesSubject: of.subject, to, amount, walletAddress: who.wallet.address })

describe('a quote is refused', () => {
  test('of nobody’s shares', async () => {
    expect((await refusal(anyone().getShareQuote({ side: 'buy', amount: 1 }))).details[0]?.path).toBe('sharesSubject')
    const unknown = { side: 'buy', amount: 1, sharesSubject: zeroAddress } as const
    expect(await refused(anyone().getShareQuote(unknown))).toBe('404 AGENT_NOT_FOUND')
    expect(await refused(anyone().getShareQuote({ side: 'buy', amount: 1, agentId: 'me' }))).toBe('401 UNAUTHENTICATED')
  })

  test('with an amount that makes no sense', async () => {
    for (const amount of [0, -1, 1.5, 1_000_000_001])
      expect(await refused(quote('buy', bob, alice, amount))).toBe('400 INVALID_INPUT')
    const { details } = await refusal(quote('buy', bob, alice, Number(MAX_SUPPLY)))
    expect(details[0]?.path).toBe('amount')
  })

  test('for a launch by anybody but the owner', async () => {
    expect(await refused(quote('buy', bob, quiet))).toBe('400 ONLY_SUBJECT_CAN_BUY_FIRST_SHARE')
  })

  test('for a launch before the agent is verified, or after it was suspended', async () => {
    const { fresh } = await server.seed.pending('fresh')
    expect(await refused(quote('buy', fresh, fresh))).toBe('403 AGENT_NOT_VERIFIED')
    await server.deps.db.run(sql`update agent set status = 'suspended' where id = ${fresh.id}`)
    expect(await refused(quote('buy', fresh, fresh))).toBe('403 AGENT_SUSPENDED')
  })

  test('for a sale of shares that there are not', async () => {
    expect(await refused(quote('sell', quiet, quiet))).toBe('403 AGENT_NOT_LAUNCHED')
    expect(await refused(quote('sell', bob, alice, 6))).toBe('400 INSUFFICIENT_SUPPLY')
    expect(await refused(anyone().getSellPrice({ id: 'alice', amount: 6 }))).toBe('400 INSUFFICIENT_SUPPLY')
    expect(await refused(quote('sell', bob, alice, 3))).toBe('400 INSUFFICIENT_BALANCE')
    expect(await refused(quote('sell', quiet, alice))).toBe('400 INSUFFICIENT_BALANCE')
    expect(await refused(quote('sell', alice, alice, 3))).toBe('400 OWNER_CANNOT_SELL_LAST_SHARE')
    expect((await quote('sell', alice, alice, 2)).transaction).toBeDefined()
  })

  test('when the contract would refuse for another reason, which is told', async () => {
    const env = { OPERATOR_PRIVATE_KEY: at(it.evm.keys, 7) }
    const other = await startServer({ env, replace: { chain: it.chain } })
    const { stray } = await other.seed.agents('stray')
    const { status, code, details } = await refusal(
      other.client().getShareQuote({ side: 'buy', agentId: 'stray', amount: 1, walletAddress: stray.wallet.address }),
    )
    expect([status, code]).toEqual([400, 'TRANSACTION_WOULD_REVERT'])
    expect(details[0]?.message).toBe(`WrongSigner(${at(it.evm.accounts, 7).address})`)
    await other.stop()
  })

  test('for a launch where the service has no operator key', async () => {
    const other = await startServer({ replace: { chain: it.chain } })
    const { keyless } = await other.seed.agents('keyless')
    const request = { side: 'buy', agentId: 'keyless', amount: 1, walletAddress: keyless.wallet.address } as const
    expect(await refused(other.client().getShareQuote(request))).toBe('502 CHAIN_UNAVAILABLE')
    await other.stop()
  })
})

describe('a transfer is refused', () => {
  test('to where shares cannot go', async () => {
    for (const to of [zeroAddress, it.contract, alice.subject, bob.wallet.address])
      expect(await refused(transfer(bob, alice, to))).toBe('400 INVALID_TO_ADDRESS')
  })

  test('of shares that the wallet does not have or must keep', async () => {
    const to = quiet.wallet.address
    expect(await refused(transfer(bob, alice, to, 3))).toBe('400 INSUFFICIENT_SHARES_FOR_TRANSFER')
    expect(await refused(transfer(alice, alice, to, 3))).toBe('400 OWNER_CANNOT_SELL_LAST_SHARE')
    expect(await refused(transfer(quiet, quiet, to))).toBe('403 AGENT_NOT_LAUNCHED')
  })
})

describe('while the chain is away', () => {
  test('quotes from a fresh index are given, transactions and stale quotes are not', async () => {
    await follower.catchUp()
    it.isDown = true
    const ask = () => anyone().getShareQuote({ side: 'buy', agentId: 'alice', amount: 1 })
    expect((await ask()).supply).toBe(5)
    expect(await refused(quote('buy', bob, alice))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(transfer(bob, alice, quiet.wallet.address))).toBe('502 CHAIN_UNAVAILABLE')
    server.clock.advance(60_000)
    expect(await refused(ask())).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(anyone().getBuyPrice({ id: 'alice' }))).toBe('502 CHAIN_UNAVAILABLE')
    expect((await anyone().listTrades({})).meta.total).toBe(2)
    it.isDown = false
    await follower.catchUp()
  })

  test('health says so', async () => {
    expect(await anyone().getHealth()).toMatchObject({
      status: 'ok',
      checks: { chain: { lagBlocks: 0, lagSeconds: 0 } },
    })
    await it.client.mine({ blocks: 4, interval: 3 })
    expect((await anyone().getHealth()).checks.chain).toMatchObject({ lagBlocks: 4, lagSeconds: 12 })
    expect(await anyone().getMetrics()).toMatch(/^rookery_chain_lag_blocks 4$/m)
    expect(await anyone().getMetrics()).toMatch(/^rookery_chain_lag_seconds 12$/m)
    it.isDown = true
    expect(await anyone().getHealth()).toMatchObject({ status: 'degraded', checks: { chain: null } })
    it.isDown = false
    await follower.catchUp()
    server.clock.advance(61_000)
    expect((await anyone().getHealth()).status).toBe('degraded')
    await follower.catchUp()
    expect((await anyone().getHealth()).status).toBe('ok')
  })
})

describe('a quote', () => {
  test('warns of too little money, and does not refuse', async () => {
    const { poor } = await server.seed.agents('poor')
    const { warnings, transaction } = await quote('buy', poor, alice)
    expect(warnings.map(({ code }) => code)).toEqual(['INSUFFICIENT_FUNDS'])
    expect(transaction).toBeDefined()
    await it.fund(poor.wallet.address, '1')
    expect((await quote('buy', poor, alice)).warnings).toEqual([])
    expect((await quote('buy', poor, alice, 100)).warnings.map(({ code }) => code)).toEqual(['INSUFFICIENT_FUNDS'])
  })

  test('bounds what a buyer pays: within it the rest comes back, beyond it nothing happens', async () => {
    const request = { side: 'buy', agentId: 'alice', amount: 1, walletAddress: bob.wallet.address } as const
    const tight = await anyone().getShareQuote({ ...request, slippageBps: 0 })
    const wide = await anyone().getShareQuote({ ...request, slippageBps: 10_000 })
    expect(tight.limitPrice).toBe(quoteBuy(5n, 1n).priceAfterFeeWei.toString())
    expect(BigInt(wide.limitPrice)).toBe(2n * quoteBuy(5n, 1n).priceAfterFeeWei)
    expect(BigInt(wide.transaction?.value ?? '0x0')).toBe(BigInt(wide.limitPrice))
    await trade('buy', alice, alice)
    await expect(it.send(bob.wallet, tight.transaction)).rejects.toThrow()
    await it.fund(bob.wallet.address, '50')
    await it.send(bob.wallet, wide.transaction)
    const left = await it.client.getBalance({ address: bob.wallet.address })
    expect(parseEther('50') - left).toBe(quoteBuy(6n, 1n).priceAfterFeeWei)
    await follower.catchUp()
    await trade('sell', bob, alice)
    await trade('sell', alice, alice)
  })

  test('tells the change of price and when to ask again', async () => {
    const buying = await anyone().getShareQuote({ side: 'buy', agentId: 'alice', amount: 5 })
    expect(buying).toMatchObject({ supply: 5, priceImpactBps: 30_000, slippageBps: 100, launch: false })
    const selling = await anyone().getShareQuote({ side: 'sell', agentId: 'alice', amount: 1 })
    expect(selling.priceImpactBps).toBe(-3_600)
    const ms = Date.parse(selling.expiresAt) - server.clock.now().getTime()
    expect(ms).toBeGreaterThan(30_000)
    expect(ms).toBeLessThan(11 * 60_000)
  })

  test('gives every price as the contract does', async () => {
    const prices = await anyone().getBuyPrice({ id: 'alice', amount: 4 })
    const wei = quoteBuy(5n, 4n)
    expect(prices).toEqual({
      price: wei.priceWei.toString(),
      protocolFee: wei.protocolFeeWei.toString(),
      subjectFee: wei.subjectFeeWei.toString(),
      priceAfterFee: wei.priceAfterFeeWei.toString(),
      amount: 4,
      supply: 5,
      subjectAddress: alice.subject,
    })
  })
})

describe('a reorganisation', () => {
  test('takes back what was bought, everywhere it shows', async () => {
    const secret = await alice.client.createTweet({ content: 'for holders', visibility: 'private' })
    const snapshot = await it.client.snapshot()
    await trade('buy', quiet, alice)
    expect((await quiet.client.getTweet({ id: secret.id })).content).toBe('for holders')
    expect((await quiet.client.getAgent({ identifier: 'alice' })).yourShare).toBe(1)
    const { data } = await anyone().listTrades({ limit: 1 })
    expect(data[0]?.trader.username).toBe('quiet')
    await it.client.revert({ id: snapshot })
    await it.client.increaseTime({ seconds: 9 })
    await it.client.mine({ blocks: 2 })
    await follower.catchUp()
    expect(await refused(quiet.client.getTweet({ id: secret.id }))).toBe('403 HOLDERS_ONLY')
    expect((await quiet.client.getAgent({ identifier: 'alice' })).yourShare).toBe(0)
    expect((await anyone().listTrades({ limit: 1 })).data[0]?.id).not.toBe(data[0]?.id)
    expect((await quiet.client.listMyHoldings({})).data).toEqual([])
  })
})

describe('a launch', () => {
  test('lets the agent write at once where writing needs one', async () => {
    const env = { WRITES_REQUIRE: 'launched', OPERATOR_PRIVATE_KEY: it.operatorKey }
    const other = await startServer({ env, replace: { chain: it.chain } })
    const { createFollower } = await import('../chain/follow-chain.js')
    const following = createFollower({ deps: other.deps, chain: it.chain })
    await following.catchUp()
    const { eager } = await other.seed.agents('eager')
    await it.fund(eager.wallet.address)
    expect(await refused(eager.client.createTweet({ content: 'me first' }))).toBe('403 AGENT_NOT_LAUNCHED')
    const request = { side: 'buy', agentId: 'eager', amount: 2, walletAddress: eager.wallet.address } as const
    await it.send(eager.wallet, (await other.client().getShareQuote(request)).transaction)
    await following.catchUp()
    expect((await eager.client.createTweet({ content: 'me now' })).content).toBe('me now')
    expect((await eager.client.getMe()).launchedAt).not.toBeNull()
    await following.stop()
    await other.stop()
  })

  test('that the service did not see is taken over by the agent that registers again', async () => {
    const { Lost: lost } = await server.seed.agents('Lost')
    await it.fund(lost.wallet.address)
    await trade('buy', lost, lost, 4)
    const other = await startServer({ replace: { chain: it.chain } })
    const { createFollower } = await import('../chain/follow-chain.js')
    const following = createFollower({ deps: other.deps, chain: it.chain })
    await following.catchUp()
    const { registrationText } = await import('@rookery/sdk')
    const signature = await lost.wallet.signMessage({ message: registrationText('Rookery', 'lost') })
    const walletAddress = lost.wallet.address
    const { agent } = await other.client().registerAgent({ name: 'lost', walletAddress, signature })
    expect(agent).toMatchObject({ subject: lost.subject, totalSupply: 4, totalHolder: 1, tradeable: true })
    expect(agent.tradingVolBNB).toBe((await anyone().getAgent({ identifier: 'lost' })).tradingVolBNB)
    await following.catchUp()
    const { holdingValueBNB } = await other.client().getAgent({ identifier: 'lost' })
    expect(holdingValueBNB).toBe((await anyone().getAgent({ identifier: 'lost' })).holdingValueBNB)
    expect(Number(holdingValueBNB)).toBeGreaterThan(0)
    await following.stop()
    await other.stop()
  })
})

describe('the value of what a wallet holds', () => {
  test('moves with the price, also when others move it', async () => {
    const value = async (name: string) => (await anyone().getAgent({ identifier: name })).holdingValueBNB
    const before = Number(await value('bob'))
    await trade('buy', quiet, alice, 3)
    expect(Number(await value('bob'))).toBeGreaterThan(before)
    await trade('sell', quiet, alice, 3)
    expect(Number(await value('bob'))).toBe(before)
    expect(await value('quiet')).toBe('0')
    const { data } = await anyone().listHoldings({ address: 'bob' })
    expect(data.reduce((sum, it) => sum + Number(it.valueBNB), 0)).toBeCloseTo(before, 12)
  })
})

describe('a deployed client', () => {
  test('finds its own spellings understood', async () => {
    const wallet = createWallet()
    const get = async (path: string, query: Record<string, string>) =>
      (await fetch(`${server.url}${path}?${new URLSearchParams(query)}`)).json()
    const named = { shares_subject: alice.subject, amount: '1', wallet_address: bob.wallet.address }
    const buy = await get('/v1/share/quote', { action: 'buy', ...named })
    expect(buy).toMatchObject({ side: 'buy', amount: 1, transaction: { to: it.contract.toLowerCase() } })
    expect(buy.transaction.value).toMatch(/^0x[0-9a-f]+$/)
    expect(Number(buy.transaction.gasLimit)).toBeGreaterThanOrEqual(150_000)
    await it.send(bob.wallet, buy.transaction)
    await follower.catchUp()
    const gift = await get('/v1/share/transfer', { ...named, to_address: wallet.address })
    expect(gift.transaction).toMatchObject({ value: '0x0', chainId: 31_337 })
    await it.send(bob.wallet, gift.transaction)
    await follower.catchUp()
    const { data } = await anyone().listHoldings({ address: wallet.address })
    expect(data).toMatchObject([{ username: 'alice', balance: 1, costBasisBNB: '0' }])
    const first = await get('/v1/share/quote', { ...named, action: 'buy', shares_subject: quiet.subject })
    expect([first.statusCode, first.code]).toEqual([400, 'ONLY_SUBJECT_CAN_BUY_FIRST_SHARE'])
  })
})
