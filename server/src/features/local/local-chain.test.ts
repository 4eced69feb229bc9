import type { EmbeddedChain } from '@rookery/embedded-chain'
import { makeDataDir, startChain, walletOn } from '@rookery/embedded-chain/test/market'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refused } from '../../../test/refusal.js'
import { createWallet } from '../../../test/seed.js'
import { startServer, type TestServer } from '../../../test/start-server.js'
import { createChain } from '../../foundation/chain/chain.js'
import { RpcError } from '../../foundation/chain/rpc.js'

let folder: Awaited<ReturnType<typeof makeDataDir>>
let embeddedChain: EmbeddedChain
let server: TestServer

beforeAll(async () => {
  folder = await makeDataDir()
  embeddedChain = await startChain(folder.dataDir)
  server = await startServer({ replace: { embeddedChain } })
})

afterAll(async () => {
  await server.stop()
  await embeddedChain.close()
  await folder.remove()
})

describe('POST /local/faucet', () => {
  test('sends 10 test BNB, which have arrived when it answers', async () => {
    const { address } = createWallet()
    const { transactionHash, amountBNB } = await server.client().requestFaucet({ address })
    expect(amountBNB).toBe('10')
    const anyone = walletOn(embeddedChain)
    expect(await anyone.getBalance({ address })).toBe(10n ** 19n)
    expect(await anyone.getTransactionReceipt({ hash: transactionHash as `0x${string}` })).toMatchObject({
      status: 'success',
    })
  })

  test('refuses an invalid address', async () => {
    expect(await refused(server.client().requestFaucet({ address: '0x12' }))).toBe('400 INVALID_INPUT')
  })

  test('is announced, with the chain it belongs to', async () => {
    const { chain, features } = await server.client().getConfig()
    expect(features.faucet).toBe(true)
    expect(chain).toMatchObject({ id: 31_337, rpcUrl: embeddedChain.rpcUrl, contract: embeddedChain.contract })
    expect(await server.deps.chain?.head()).toMatchObject({ number: expect.any(Number) })
  })
})

describe('GET /local/wallets/:address', () => {
  test('returns everything needed to sign a transaction', async () => {
    const { address } = createWallet()
    await server.client().requestFaucet({ address })
    expect(await server.client().getLocalWallet({ address })).toMatchObject({
      address: address.toLowerCase(),
      balanceWei: String(10n ** 19n),
      nonce: 0,
      chainId: 31_337,
    })
  })
})

test('the faucet fills an address that is written without the checksum in its capital letters', async () => {
  const { address } = createWallet()
  await server.client().requestFaucet({ address: `0x${address.slice(2).toUpperCase()}` })
  expect((await server.client().getLocalWallet({ address })).balanceWei).toBe(String(10n ** 19n))
})

describe('POST /local/transactions', () => {
  async function sign(more: { value: bigint; data?: `0x${string}`; to?: `0x${string}` }) {
    const wallet = createWallet()
    await server.client().requestFaucet({ address: wallet.address })
    const { nonce, gasPriceWei, chainId } = await server.client().getLocalWallet({ address: wallet.address })
    const to = more.to ?? embeddedChain.contract
    return wallet.signTransaction({
      ...more,
      to,
      nonce,
      chainId,
      type: 'legacy',
      gas: 100_000n,
      gasPrice: BigInt(gasPriceWei),
    })
  }

  test('sends it and reports its status', async () => {
    const { address } = createWallet()
    const { status, transactionHash } = await server
      .client()
      .sendLocalTransaction({ transaction: await sign({ to: address, value: 5n }) })
    expect(status).toBe('success')
    expect((await server.client().getLocalWallet({ address })).balanceWei).toBe('5')
    expect(transactionHash).toMatch(/^0x[0-9a-f]{64}$/)
    const refusedByContract = await sign({ value: 0n, data: '0x12345678' })
    expect(await server.client().sendLocalTransaction({ transaction: refusedByContract })).toMatchObject({
      status: 'reverted',
      failure: { error: null, message: 'The contract refused it: no reason given.' },
    })
  })

  test('explains why the chain refuses it', async () => {
    const { code, message } = await refusal(
      server.client().sendLocalTransaction({ transaction: await sign({ value: 10n ** 20n }) }),
    )
    expect(code).toBe('INSUFFICIENT_FUNDS')
    expect(message).toMatch(
      /Send it BNB first\. POST \/local\/faucet {"address": "0x[0-9a-fA-F]{40}"} gives it 10 test BNB\.$/,
    )
    expect(await refused(server.client().sendLocalTransaction({ transaction: '0x1234' }))).toBe('400 INVALID_INPUT')
    expect(await refused(server.client().sendLocalTransaction({ transaction: '0x' }))).toBe('400 INVALID_INPUT')
  })
})

describe('the stand-ins of the chain', () => {
  test('do not exist without the embedded chain', async () => {
    const other = await startServer()
    const { address } = createWallet()
    expect(await refused(other.client().requestFaucet({ address }))).toBe('404 NOT_FOUND')
    expect(await refused(other.client().getLocalWallet({ address }))).toBe('404 NOT_FOUND')
    expect(await refused(other.client().sendLocalTransaction({ transaction: '0x12' }))).toBe('404 NOT_FOUND')
    expect((await other.client().getConfig()).features.faucet).toBe(false)
    await other.stop()
  })

  test('report when the chain is unreachable', async () => {
    const fail = async () => {
      throw new RpcError('the chain does not answer', undefined)
    }
    const chain = createChain({ id: 1, contract: embeddedChain.contract, rpc: { request: fail, batch: fail } })
    const away = { ...embeddedChain, faucet: () => Promise.reject(new Error('away')) }
    const other = await startServer({ replace: { embeddedChain: away, chain } })
    const { address } = createWallet()
    expect(await refused(other.client().requestFaucet({ address }))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(other.client().getLocalWallet({ address }))).toBe('502 CHAIN_UNAVAILABLE')
    expect(await refused(other.client().sendLocalTransaction({ transaction: '0x12' }))).toBe('502 CHAIN_UNAVAILABLE')
    await other.stop()
  })
})
