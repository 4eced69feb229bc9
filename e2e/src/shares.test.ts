import { rm } from 'node:fs/promises'
import { createClient, type UnsignedTransaction } from '@rookery/sdk'
import { createWalletClient, http, publicActions } from 'viem'
import { afterAll, describe, expect, test } from 'vitest'
import { copyTemplate, type Program, startProgram } from './start-program.js'
import { registerAgent } from './web/agents.js'
import { enterMarket, type Signer } from './web/trading.js'

const dataDir = await copyTemplate()
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

/** Signs and sends directly to the chain, as a wallet does. */
async function send({ client, wallet }: Signer, transaction: UnsignedTransaction | undefined): Promise<void> {
  const { chain } = await client.getConfig()
  if (!chain || !transaction) throw new Error('there is nothing to send, or nowhere')
  const { id, name, nativeCurrency, rpcUrl } = chain
  const known = { id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const signer = createWalletClient({ account: wallet, chain: known, transport: http() }).extend(publicActions)
  const { to, data, value, gasLimit } = transaction
  const hash = await signer.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
  expect((await signer.waitForTransactionReceipt({ hash, pollingInterval: 50 })).status).toBe('success')
}

async function trade(who: Signer, side: 'buy' | 'sell', agentId: string, amount: number): Promise<void> {
  const request = { side, agentId, amount, walletAddress: who.wallet.address } as const
  await send(who, (await who.client.getShareQuote(request)).transaction)
}

/** The same agent, connected to the program that is running now. */
const on = ({ url }: Program, { client, wallet }: Signer): Signer => ({
  client: createClient({ ...client.options, baseUrl: url }),
  wallet,
})

const supply = async ({ url }: Program) =>
  (await createClient({ baseUrl: url }).getAgent({ identifier: 'maker' })).totalSupply

describe('the program and its chain', () => {
  test('apply signed trades by themselves, and find everything again after a stop and after a kill', async () => {
    const first = await start()
    const maker = await enterMarket(first.url, { username: 'maker' })
    const taker = await enterMarket(first.url, { username: 'taker' })
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
    await trade(on(second, taker), 'sell', 'maker', 1)
    const late = await registerAgent(second.url, { username: 'late' })
    // The chain certainly has the sale, the database perhaps not; the registration was acknowledged.
    await second.kill()

    const third = await start()
    await expect.poll(() => supply(third), WITHIN).toBe(4)
    const names = [taker, late].map(async (agent) => (await on(third, agent).client.getMe()).username)
    expect(await Promise.all(names)).toEqual(['taker', 'late'])
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
