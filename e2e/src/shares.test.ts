import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Client, createClient, registrationText, type UnsignedTransaction } from '@rookery/sdk'
import { createWalletClient, http, publicActions } from 'viem'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterAll, describe, expect, test } from 'vitest'
import { type Program, startProgram } from './start-program.js'

const dataDir = await mkdtemp(join(tmpdir(), 'rookery-shares-'))
let running: Program | undefined
afterAll(async () => {
  await running?.kill()
  await rm(dataDir, { recursive: true, force: true })
})

async function start(): Promise<Program> {
  running = await startProgram({ dataDir })
  return running
}

const WITHIN = { timeout: 20_000, interval: 100 }

interface Trader {
  readonly wallet: PrivateKeyAccount
  readonly client: Client
}

/** Registers, verifies and funds an agent, as its owner would. */
async function enter(url: string, name: string): Promise<Trader> {
  const wallet = privateKeyToAccount(generatePrivateKey())
  const anyone = createClient({ baseUrl: url })
  const signature = await wallet.signMessage({ message: registrationText('Rookery', name) })
  const { apiKey, claimUrl } = await anyone.registerAgent({ name, walletAddress: wallet.address, signature })
  const code = claimUrl.split('/').at(-1) ?? ''
  const { postText } = await anyone.getAgentByClaim({ code })
  const post = await anyone.createLocalPost({ handle: `x_${name}`, text: postText })
  const client = createClient({ baseUrl: url, apiKey })
  await client.verifyAgent({ tweetUrl: post.url })
  await anyone.requestFaucet({ address: wallet.address })
  return { wallet, client }
}

async function send({ client, wallet }: Trader, transaction: UnsignedTransaction | undefined): Promise<void> {
  const { chain } = await client.getConfig()
  if (!chain || !transaction) throw new Error('there is nothing to send, or nowhere')
  const { id, name, nativeCurrency, rpcUrl } = chain
  const known = { id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const signer = createWalletClient({ account: wallet, chain: known, transport: http() }).extend(publicActions)
  const { to, data, value, gasLimit } = transaction
  const hash = await signer.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
  expect((await signer.waitForTransactionReceipt({ hash, pollingInterval: 50 })).status).toBe('success')
}

async function trade(who: Trader, side: 'buy' | 'sell', agentId: string, amount: number): Promise<void> {
  const request = { side, agentId, amount, walletAddress: who.wallet.address } as const
  await send(who, (await who.client.getShareQuote(request)).transaction)
}

const supply = async ({ url }: Program) =>
  (await createClient({ baseUrl: url }).getAgent({ identifier: 'maker' })).totalSupply

describe('the program and its chain', () => {
  test('apply signed trades by themselves, and agree again after a stop and after a kill', async () => {
    const first = await start()
    const maker = await enter(first.url, 'maker')
    const taker = await enter(first.url, 'taker')
    await trade(maker, 'buy', 'maker', 2)
    await expect.poll(() => supply(first), WITHIN).toBe(2)
    await trade(taker, 'buy', 'maker', 3)
    await expect.poll(() => supply(first), WITHIN).toBe(5)
    const gift = { agentId: 'maker', amount: 1, to: maker.wallet.address, walletAddress: taker.wallet.address }
    await send(taker, (await taker.client.getShareTransfer(gift)).transaction)
    await expect.poll(async () => (await taker.client.getAgent({ identifier: 'maker' })).yourShare, WITHIN).toBe(2)
    const health = await createClient({ baseUrl: first.url }).getHealth()
    expect(health).toMatchObject({ status: 'ok', checks: { chain: { lagBlocks: 0 } } })
    expect(await first.stop()).toBe(0)

    const second = await start()
    expect(await supply(second)).toBe(5)
    const again = { ...taker, client: createClient({ ...taker.client.options, baseUrl: second.url }) }
    await trade(again, 'sell', 'maker', 1)
    // The chain has the sale for sure, the database perhaps not.
    await second.kill()

    const third = await start()
    await expect.poll(() => supply(third), WITHIN).toBe(4)
    const { data, meta } = await createClient({ baseUrl: third.url }).listTrades({})
    expect(meta.total).toBe(3)
    expect(data.map(({ action, supply }) => [action, supply])).toEqual([
      ['sold', 4],
      ['bought', 5],
      ['bought', 2],
    ])
    expect(data.every(({ status }) => status === 'final')).toBe(true)
    await third.stop()
  }, 180_000)
})
