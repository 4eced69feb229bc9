import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeDataDir, startChain, walletOn } from '../../test/embedded-market.js'
import { refused } from '../../test/refusal.js'
import { createWallet } from '../../test/seed.js'
import { startServer, type TestServer } from '../../test/start-server.js'
import type { EmbeddedChain } from '../chain/embedded-chain.js'

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
  test('sends 10 test BNB that are there when it answers', async () => {
    const { address } = createWallet()
    const { transactionHash, amountBNB } = await server.client().requestFaucet({ address })
    expect(amountBNB).toBe('10')
    const anyone = walletOn(embeddedChain)
    expect(await anyone.getBalance({ address })).toBe(10n ** 19n)
    expect(await anyone.getTransactionReceipt({ hash: transactionHash as `0x${string}` })).toMatchObject({
      status: 'success',
    })
  })

  test('refuses what is no address', async () => {
    expect(await refused(server.client().requestFaucet({ address: '0x12' }))).toBe('400 INVALID_INPUT')
  })

  test('is announced, with the chain it belongs to', async () => {
    const { chain, features } = await server.client().getConfig()
    expect(features.faucet).toBe(true)
    expect(chain).toMatchObject({ id: 31_337, rpcUrl: embeddedChain.rpcUrl, contract: embeddedChain.contract })
    expect(await server.deps.chain?.head()).toMatchObject({ number: expect.any(Number) })
  })

  test('does not exist without the embedded chain', async () => {
    const other = await startServer()
    expect(await refused(other.client().requestFaucet({ address: createWallet().address }))).toBe('404 NOT_FOUND')
    expect((await other.client().getConfig()).features.faucet).toBe(false)
    await other.stop()
  })

  test('says when the chain is away', async () => {
    const away = { ...embeddedChain, faucet: () => Promise.reject(new Error('away')) }
    const other = await startServer({ replace: { embeddedChain: away } })
    expect(await refused(other.client().requestFaucet({ address: createWallet().address }))).toBe(
      '502 CHAIN_UNAVAILABLE',
    )
    await other.stop()
  })
})
