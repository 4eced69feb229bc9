import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import {
  type Client,
  createClient,
  createWallet,
  isWalletError,
  type OpenClaim,
  type PlatformConfig,
  quoteBuy,
  type ShareQuote,
  sendTransaction,
  type Wallet,
} from '@rookery/sdk'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from './start-program.js'
import type { NewAgent } from './web/agents.js'
import { enterMarket } from './web/trading.js'

let program: Program
let maker: NewAgent
let taker: NewAgent
beforeAll(async () => {
  program = await startProgram()
  maker = await enterMarket(program.url, { username: 'maker' })
  taker = await enterMarket(program.url, { username: 'taker' })
})
afterAll(() => program?.stop())

const walletOf = ({ client, wallet }: NewAgent, more: Parameters<typeof createWallet>[2] = {}): Wallet =>
  createWallet(client, wallet, more)

/** The same client, whose quotes pass through a hook on their way. */
function withQuotes(client: Client, hook: (quote: ShareQuote) => ShareQuote | Promise<ShareQuote>): Client {
  return createClient({
    ...client.options,
    async fetch(url, init) {
      const response = await fetch(url, init)
      if (!String(url).includes('/v1/share/quote') || !response.ok) return response
      return Response.json(await hook((await response.json()) as ShareQuote))
    },
  })
}

/** The same client, whose service names another node. */
function withNode(client: Client, rpcUrl: string): Client {
  return createClient({
    ...client.options,
    async fetch(url, init) {
      const response = await fetch(url, init)
      if (!String(url).endsWith('/v1/config')) return response
      const config = (await response.json()) as PlatformConfig
      return Response.json({ ...config, chain: { ...config.chain, rpcUrl } })
    },
  })
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'it worked',
    (error: unknown) => error,
  )
const sentBy = async (agent: NewAgent) => (await agent.client.getLocalWallet({ address: agent.wallet.address })).nonce

/** Logs the owner in on the local network, as a browser does. */
async function logIn(handle: string): Promise<Client> {
  const anyone = createClient({ baseUrl: program.url })
  const { pathname, searchParams } = new URL((await anyone.startLogin()).url)
  searchParams.set('handle', handle)
  const page = await (await fetch(`${program.url}${pathname}?${searchParams}`)).text()
  const back = new URL(page.match(/href="([^"]+)"/)?.[1]?.replaceAll('&#38;', '&') ?? '').searchParams
  const { token } = await anyone.completeLogin({ code: back.get('code') ?? '', state: back.get('state') ?? '' })
  return anyone.as({ token })
}

/** A node in between that answers something else for a method, or loses the answer. */
async function relay(rpcUrl: string) {
  const node = { url: '', answer: (_: string): string | undefined => undefined, close: () => void server.close() }
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    const answered = await fetch(rpcUrl, { method: 'POST', body, headers: { 'Content-Type': 'application/json' } })
    const result = node.answer(method)
    if (result === 'lost') return void response.destroy()
    response.setHeader('Content-Type', 'application/json')
    response.end(result === undefined ? await answered.text() : JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  node.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return node
}

describe('a wallet', () => {
  test('launches, buys, sells, gives away and collects, and every list includes it at once', async () => {
    const launched = await walletOf(maker).trade.buy({ agent: 'me', amount: 2 })
    expect(launched).toMatchObject({ sent: true, indexed: true, quote: { launch: true, supply: 0 } })
    const bought = await walletOf(taker).trade.buy({ agent: 'MAKER', amount: 3 })
    if (!bought.sent) throw new Error('nothing was sent')
    expect(bought).toMatchObject({ indexed: true, record: { trades: [{ action: 'bought', supply: 5 }] } })
    expect(bought.quote.priceAfterFeeWei).toBe(String(quoteBuy(2n, 3n).priceAfterFeeWei))
    const seen = await taker.client.getTrade({ transactionHash: bought.hash })
    expect(BigInt(seen.blockNumber ?? 0)).toBe(bought.blockNumber)

    const to = privateKeyToAccount(generatePrivateKey()).address
    const given = await walletOf(taker).trade.transfer({ agent: maker.agent.subject, to, amount: 1 })
    expect(given).toMatchObject({ sent: true, indexed: true, record: { transfers: [{ shareAmount: 1 }] } })
    const sold = await walletOf(taker).trade.sell({ agent: 'maker', amount: 1, minProceedsWei: 1n })
    expect(sold).toMatchObject({ sent: true, indexed: true, record: { trades: [{ action: 'sold', supply: 4 }] } })
    expect((await taker.client.getAgent({ identifier: 'maker' })).yourShare).toBe(1)

    const before = await walletOf(maker).balance()
    const claimed = await walletOf(maker).trade.claimFees()
    expect(claimed).toMatchObject({ sent: true, indexed: true, record: { feeClaims: [{}] } })
    expect(await walletOf(maker).balance()).toBeGreaterThan(before)
  })

  test('pays out the fees of any agent without its key, and those of an owner’s only agent', async () => {
    await walletOf(taker).trade.buy({ agent: 'maker', amount: 1 })
    const stranger = createWallet(createClient({ baseUrl: program.url }), taker.wallet)
    const before = await walletOf(maker).balance()
    const seen: bigint[] = []
    const confirm = ({ amountWei }: OpenClaim) => void seen.push(amountWei)
    const paid = await stranger.trade.claimFeesFor({ agent: 'maker', confirm })
    expect(paid).toMatchObject({ sent: true, indexed: true, quote: { receiver: maker.wallet.address.toLowerCase() } })
    expect(seen).toEqual([(await walletOf(maker).balance()) - before])
    expect(await stranger.trade.claimFeesFor({ agent: 'maker', confirm })).toMatchObject({
      sent: false,
      quote: { amountWei: 0n, summary: '0 tBNB of unclaimed fees for @maker.' },
    })
    expect(seen).toHaveLength(1)

    await walletOf(taker).trade.buy({ agent: 'maker', amount: 1 })
    const owner = createWallet(await logIn('x_maker'), taker.wallet)
    expect(await owner.trade.claimFees()).toMatchObject({ sent: true, quote: { agentId: maker.agent.id } })
  })

  test('signs nothing that its caller does not confirm', async () => {
    const before = [await sentBy(maker), await sentBy(taker)]
    const confirm = ({ summary }: { summary: string }) => Promise.reject(new Error(summary))
    const { trade } = walletOf(taker)
    await trade.buy({ agent: 'maker', amount: 1 })
    const wanted = { agent: 'maker', amount: 1, confirm }
    const refusals: [() => Promise<unknown>, RegExp][] = [
      [() => trade.buy(wanted), /^Buy 1 /],
      [() => trade.sell(wanted), /^Sell 1 /],
      [() => trade.transfer({ ...wanted, to: maker.wallet.address }), /^Send 1 /],
      [() => trade.claimFeesFor(wanted), /unclaimed fees for @maker/],
      [() => walletOf(maker).trade.claimFees({ confirm }), /^Collect /],
    ]
    for (const [refusal, summary] of refusals)
      expect(await failureOf(refusal())).toMatchObject({ message: expect.stringMatching(summary) })
    expect([await sentBy(maker), await sentBy(taker)]).toEqual([before[0], (before[1] ?? 0) + 1])
  })

  test('sends what is asked for at once in turn', async () => {
    const wallet = walletOf(taker)
    const wanted = { agent: 'maker', amount: 1, slippageBps: 10_000 }
    const both = await Promise.all([wallet.trade.buy(wanted), wallet.trade.buy(wanted)])
    expect(both.map(({ sent }) => sent)).toEqual([true, true])
  })

  test('pays no more than it may, and says so before it signs', async () => {
    const { priceAfterFeeWei } = await taker.client.getBuyPrice({ id: 'maker', amount: 1 })
    const price = BigInt(priceAfterFeeWei)
    const before = await sentBy(taker)
    const tooDear = walletOf(taker).trade.buy({ agent: 'maker', amount: 1, maxCostWei: price - 1n })
    expect(await failureOf(tooDear)).toMatchObject({
      code: 'PRICE_OUT_OF_BOUNDS',
      details: { priceWei: price, boundWei: price - 1n },
    })
    expect(await sentBy(taker)).toBe(before)
    const exact = await walletOf(taker).trade.buy({ agent: 'maker', amount: 1, maxCostWei: price })
    expect(exact).toMatchObject({ sent: true, quote: { limitPriceWei: String(price), slippageBps: 0 } })
  })

  test('signs nothing when the service lies', async () => {
    const before = await sentBy(taker)
    const price = (supply: number) => {
      const { priceWei, protocolFeeWei, subjectFeeWei, priceAfterFeeWei } = quoteBuy(BigInt(supply), 1n)
      const wei = { priceWei, protocolFeeWei, subjectFeeWei, priceAfterFeeWei, limitPriceWei: priceAfterFeeWei }
      return Object.fromEntries(Object.entries(wei).map(([name, value]) => [name, String(value)]))
    }
    const lies: Record<string, (quote: ShareQuote) => ShareQuote> = {
      'the price': (quote) => ({ ...quote, priceWei: '1' }),
      // Right by the curve, but not the supply that the chain has.
      'the supply of the quote': (quote) => ({ ...quote, supply: quote.supply + 50, ...price(quote.supply + 50) }),
      'the value of the transaction': (quote) =>
        quote.transaction ? { ...quote, transaction: { ...quote.transaction, value: '0xde0b6b3a7640000' } } : quote,
      'the subject in the call data': (quote) => {
        const { transaction, sharesSubject } = quote
        const data = transaction?.data.replace(sharesSubject.slice(2), taker.agent.subject.slice(2)) as `0x${string}`
        return transaction ? { ...quote, transaction: { ...transaction, data } } : quote
      },
      'the gas limit of the transaction': (quote) =>
        quote.transaction ? { ...quote, transaction: { ...quote.transaction, gasLimit: '29000000' } } : quote,
      'the transaction': ({ transaction: _, ...quote }) => quote,
    }
    for (const [what, lie] of Object.entries(lies)) {
      const wallet = createWallet(withQuotes(taker.client, lie), taker.wallet)
      const error = await failureOf(wallet.trade.buy({ agent: 'maker', amount: 1 }))
      expect(error, what).toMatchObject({ code: 'QUOTE_MISMATCH', details: { what } })
    }
    const elsewhere = walletOf(taker, { contract: taker.wallet.address }).trade.buy({ agent: 'maker', amount: 1 })
    expect(await failureOf(elsewhere)).toMatchObject({ code: 'WRONG_CONTRACT' })
    expect(await sentBy(taker)).toBe(before)
  })

  test('says how much is missing, and names the faucet', async () => {
    const poor = { ...taker, wallet: privateKeyToAccount(generatePrivateKey()) }
    const error = await failureOf(
      createWallet(createClient({ baseUrl: program.url }), poor.wallet).trade.buy({ agent: 'maker', amount: 1 }),
    )
    if (!isWalletError(error, 'INSUFFICIENT_FUNDS')) throw error
    const { balanceWei, neededWei, missingWei, hasFaucet } = error.details
    expect([balanceWei, missingWei, hasFaucet]).toEqual([0n, neededWei, true])
    expect(error.message).toMatch(/are missing\. Get test money with requestFaucet \(POST \/local\/faucet\)/)
  })

  test('says why a transaction was reverted', async () => {
    // Somebody else is faster, and the limit of the quote holds.
    const hook = async (quote: ShareQuote) => {
      await walletOf(maker).trade.buy({ agent: 'maker', amount: 5 })
      return quote
    }
    const slow = createWallet(withQuotes(taker.client, hook), taker.wallet)
    const error = await failureOf(slow.trade.buy({ agent: 'maker', amount: 1, slippageBps: 0 }))
    if (!isWalletError(error, 'REVERTED')) throw error
    expect(error.details).toMatchObject({ error: 'CostAboveMaximum', hash: expect.stringMatching(/^0x/) })
    expect(error.message).toMatch(
      /was reverted: the price rose: it would cost [\d.]+ BNB, and the limit was [\d.]+ BNB\./,
    )
  })

  test('says that nothing was sent when the chain does not answer', async () => {
    const { trade } = walletOf(taker, { rpcUrl: 'http://127.0.0.1:9' })
    const wanted = { agent: 'maker', amount: 1 }
    const failures = [trade.buy(wanted), trade.transfer({ ...wanted, to: maker.wallet.address })].map(failureOf)
    for (const failure of failures)
      expect(await failure).toMatchObject({ code: 'CHAIN_UNAVAILABLE', details: { hash: undefined } })
  })

  test('signs nothing for a node of another chain, and loses no transaction whose answer was lost', async () => {
    const { chain } = await taker.client.getConfig()
    const node = await relay(chain?.rpcUrl ?? '')
    const wallet = walletOf(taker, { rpcUrl: node.url })
    const wanted = { agent: 'maker', amount: 1 }
    const before = await sentBy(taker)
    node.answer = (method) => (method === 'eth_chainId' ? '0x1' : undefined)
    expect(await failureOf(wallet.trade.buy(wanted))).toMatchObject({ code: 'WRONG_CONTRACT' })
    expect(await sentBy(taker)).toBe(before)
    node.answer = (method) => (method === 'eth_getTransactionCount' ? '0x0' : undefined)
    expect(await failureOf(wallet.trade.buy(wanted))).toMatchObject({ code: 'NOT_SENT' })
    expect(await sentBy(taker)).toBe(before)
    node.answer = (method) => (method === 'eth_sendRawTransaction' ? 'lost' : undefined)
    expect(await wallet.trade.buy(wanted)).toMatchObject({ sent: true, indexed: true })
    expect(await sentBy(taker)).toBe(before + 1)

    // Nobody can tell now whether it was sent, so the error has its hash.
    node.answer = (method) => (/^eth_(sendRaw|getTransactionByHash)/.test(method) ? 'lost' : undefined)
    const error = await failureOf(wallet.trade.buy(wanted))
    if (!isWalletError(error, 'CHAIN_UNAVAILABLE')) throw error
    const transactionHash = error.details.hash ?? ''
    expect(await taker.client.getTrade({ transactionHash, wait: 10 })).toMatchObject({ indexed: true })
    node.close()
  })

  test('burns no more as gas than it may, whatever price the node names', async () => {
    const { chain } = await taker.client.getConfig()
    const node = await relay(chain?.rpcUrl ?? '')
    // 9,000 gwei, at which a purchase of 150,000 gas costs 1.35 BNB.
    node.answer = (method) => (/^eth_(gasPrice|maxPriorityFeePerGas)$/.test(method) ? '0x82f79cd9000' : undefined)
    const { url: rpcUrl } = node
    const wanted = { agent: 'maker', amount: 1, slippageBps: 1000 }
    const before = await sentBy(taker)
    const { transaction } = await taker.client.getShareQuote({
      side: 'buy',
      agentId: 'maker',
      amount: 1,
      walletAddress: taker.wallet.address,
    })
    if (!transaction) throw new Error('nothing to send')
    const mostWei = 2n * 10n ** 16n
    const refusals: [() => Promise<unknown>, bigint][] = [
      [() => walletOf(taker, { rpcUrl }).trade.buy({ ...wanted, maxCostWei: 10n ** 18n }), mostWei],
      [() => walletOf(taker, { rpcUrl }).trade.transfer({ ...wanted, to: maker.wallet.address }), mostWei],
      [() => walletOf(maker, { rpcUrl }).trade.claimFees(), mostWei],
      [() => walletOf(taker, { rpcUrl }).send(transaction), mostWei],
      [() => sendTransaction(withNode(taker.client, rpcUrl), taker.wallet, transaction), mostWei],
      [() => walletOf(taker, { rpcUrl, maxGasWei: 10n ** 18n }).trade.buy(wanted), 10n ** 18n],
      [() => walletOf(taker, { rpcUrl }).trade.buy({ ...wanted, maxGasWei: 5n }), 5n],
    ]
    for (const [refusal, boundWei] of refusals)
      expect(await failureOf(refusal())).toMatchObject({
        code: 'GAS_OUT_OF_BOUNDS',
        details: { gasWei: expect.any(BigInt), boundWei },
      })
    expect(await sentBy(taker)).toBe(before)

    node.answer = (method) => (/^eth_(gasPrice|maxPriorityFeePerGas)$/.test(method) ? '0x2540be400' : undefined)
    // At 10 gwei, which is more than BNB Smart Chain asks for, nothing needs to be set.
    expect(await walletOf(taker, { rpcUrl }).trade.buy(wanted)).toMatchObject({ sent: true })
    node.close()
  })

  test('returns the approval that its owner must give first, and trades with it', async () => {
    const owner = await logIn('x_taker')
    const id = taker.agent.id
    await owner.updateControls({ id, approveTradesAboveBNB: '0' })
    const before = await sentBy(taker)
    const wanted = { agent: 'maker', amount: 1 }
    const asked = await walletOf(taker).trade.buy(wanted)
    if (asked.sent) throw new Error('it was sent')
    expect(asked).toMatchObject({ approval: { status: 'pending_approval' }, quote: { side: 'buy' } })
    expect(await sentBy(taker)).toBe(before)
    const approvalId = asked.approval.id
    await owner.decideApproval({ id, approvalId, decision: 'approve' })
    expect(await walletOf(taker).trade.buy({ ...wanted, approvalId })).toMatchObject({ sent: true, indexed: true })
  })
})
