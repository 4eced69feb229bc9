import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentSharesAbi, priceFeedAbi } from '@rookery/contracts'
import { type Address, type Hex, parseEther } from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  buy,
  fundedWallet,
  launch,
  makeDataDir,
  operator,
  sell,
  sharesOf,
  startChain,
  walletOn,
} from '../test/market.js'
import { createBank, PUBLIC_BANK_KEY } from './genesis.js'
import { ChainRefusal } from './refusal.js'
import { type EmbeddedChain, startEmbeddedChain } from './start-chain.js'

const silent = { info: () => {}, error: () => {} }

describe('a chain whose clock is behind', () => {
  test('gives its blocks the time it is told, also after a restart, and none is older than the one before', async () => {
    const folder = await makeDataDir()
    const DAY_MS = 24 * 60 * 60_000
    let chain = await startChain(folder.dataDir, { lateMs: 30 * DAY_MS })
    const daysAgo = async () => {
      const { timestamp } = await walletOn(chain).getBlock()
      return Math.round((Date.now() - Number(timestamp) * 1000) / DAY_MS)
    }
    const mine = async () => {
      await fundedWallet(chain)
      return daysAgo()
    }
    expect(await daysAgo()).toBe(30)
    await chain.setLate(20 * DAY_MS)
    expect(await mine()).toBe(20)
    await chain.setLate(25 * DAY_MS)
    expect(await mine()).toBe(20)
    await chain.close()
    chain = await startChain(folder.dataDir, { lateMs: 10 * DAY_MS })
    expect(await daysAgo()).toBe(20)
    expect(await mine()).toBe(10)
    await chain.setLate(0)
    expect(await mine()).toBe(0)
    await chain.close()
    await folder.remove()
  })
})

describe('the embedded chain', () => {
  let folder: Awaited<ReturnType<typeof makeDataDir>>
  let chain: EmbeddedChain

  beforeAll(async () => {
    folder = await makeDataDir()
    chain = await startChain(folder.dataDir)
  })

  afterAll(async () => {
    await chain.close()
    await folder.remove()
  })

  test('has the share contract with its operator and a BNB price feed', async () => {
    const anyone = walletOn(chain)
    const shares = { address: chain.contract, abi: agentSharesAbi }
    expect(await anyone.readContract({ ...shares, functionName: 'operator' })).toBe(operator.address)
    const feed = { address: chain.priceFeed, abi: priceFeedAbi }
    const [, answer] = await anyone.readContract({ ...feed, functionName: 'latestRoundData' })
    expect(await anyone.readContract({ ...feed, functionName: 'decimals' })).toBe(8)
    expect(answer).toBeGreaterThan(10_00000000n)
    expect(await anyone.getChainId()).toBe(chain.chainId)
  })

  test('mines each signed launch, purchase and sale in its own block', async () => {
    const owner = await fundedWallet(chain)
    const before = await owner.getBlockNumber()
    const subject = await launch(chain, owner, 'rook')
    await buy(chain, owner, subject)
    await sell(chain, owner, subject)
    expect(await owner.getBlockNumber()).toBe(before + 3n)
    expect(await sharesOf(chain, owner, subject)).toEqual({ supply: 5n, balance: 5n })
  })

  test('announces new blocks', async () => {
    const grown = new Promise<void>((resolve) => chain.onBlocks(resolve))
    await fundedWallet(chain)
    await grown
  })

  test('sends 10 BNB to each faucet request, also to simultaneous ones', async () => {
    const wallets = Array.from({ length: 5 }, () => walletOn(chain))
    await Promise.all(wallets.map(({ account }) => chain.faucet(account.address)))
    for (const wallet of wallets)
      expect(await wallet.getBalance({ address: wallet.account.address })).toBe(parseEther('10'))
  })

  test('refuses to start in a folder or on a port that is in use', async () => {
    await expect(startChain(folder.dataDir)).rejects.toThrow(ChainRefusal)
    const other = await makeDataDir()
    const port = Number(new URL(chain.rpcUrl).port)
    await expect(startChain(other.dataDir, { port })).rejects.toThrow(`Port ${port} cannot be used (EADDRINUSE)`)
    await other.remove()
  })

  test('refuses to start with a different operator', async () => {
    const { dataDir, remove } = await makeDataDir()
    await (await startChain(dataDir)).close()
    const starting = startEmbeddedChain({
      dataDir,
      port: 0,
      operator: chain.contract,
      bankKey: PUBLIC_BANK_KEY,
      log: silent,
    })
    await expect(starting).rejects.toThrow('was made with another operator')
    await expect(startChain(dataDir, { bankKey: generatePrivateKey() })).rejects.toThrow('was made with another bank')
    await remove()
  })

  test('belongs to the bank it was given: the key that is in the source opens nothing', async () => {
    const { dataDir, remove } = await makeDataDir()
    const bankKey = generatePrivateKey()
    const own = await startChain(dataDir, { bankKey })
    const wallet = await fundedWallet(own)
    const shares = { address: own.contract, abi: agentSharesAbi }
    const { address } = createBank(bankKey)
    expect(await wallet.readContract({ ...shares, functionName: 'protocolFeeDestination' })).toBe(address)
    expect(own.contract).not.toBe(chain.contract)
    const publicBank = createBank(PUBLIC_BANK_KEY)
    expect(await wallet.getBalance({ address: publicBank.address })).toBe(0n)
    const theft = await publicBank.sign({ nonce: 0, to: wallet.account.address, value: 1n, gas: 21_000n })
    await expect(wallet.sendRawTransaction({ serializedTransaction: theft })).rejects.toThrow()
    await own.close()
    await remove()
  })
})

describe('the embedded chain, started again', () => {
  const cleanUps: (() => Promise<void>)[] = []
  const key = generatePrivateKey()

  afterEach(async () => {
    for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
  })

  async function makeFolder(): Promise<string> {
    const { dataDir, remove } = await makeDataDir()
    cleanUps.push(remove)
    return dataDir
  }

  async function start(dataDir: string, compactAfter: number): Promise<EmbeddedChain> {
    const chain = await startChain(dataDir, { compactAfter })
    cleanUps.push(() => chain.close())
    return chain
  }

  async function headOf(chain: EmbeddedChain) {
    const { number, hash } = await walletOn(chain).getBlock()
    return { number, hash }
  }

  async function everything(chain: EmbeddedChain, subject: Address) {
    const wallet = walletOn(chain, key)
    return {
      head: await headOf(chain),
      shares: await sharesOf(chain, wallet, subject),
      balance: await wallet.getBalance({ address: wallet.account.address }),
      logs: await wallet.getLogs({ address: chain.contract, fromBlock: 0n }),
      contract: chain.contract,
    }
  }

  test('is the same each time, and continues where it was', async () => {
    const dataDir = await makeFolder()
    const first = await start(dataDir, 5)
    const owner = await fundedWallet(first, key)
    const subject = await launch(first, owner, 'rook')
    for (let i = 0; i < 4; i++) await buy(first, owner, subject)
    const before = await everything(first, subject)
    expect(before.logs).toHaveLength(1 + 1 + 1 + 4 + 1)
    await first.close()

    const second = await start(dataDir, 5)
    expect(await everything(second, subject)).toEqual(before)
    await second.close()

    const third = await start(dataDir, 5)
    expect(await everything(third, subject)).toEqual(before)
    const wallet = walletOn(third, key)
    for (let i = 0; i < 5; i++) await buy(third, wallet, subject)
    await sell(third, wallet, subject)
    expect(await sharesOf(third, wallet, subject)).toEqual({ supply: 13n, balance: 13n })
  })

  test('has every acknowledged transaction after being killed in the middle of others', async () => {
    let onEnd = () => {}
    const log = { info: () => {}, error: () => onEnd() }
    const chain = await startChain(await makeFolder(), { compactAfter: 15, log })
    cleanUps.push(() => chain.close())
    async function kill(): Promise<void> {
      const ended = new Promise<void>((done) => {
        onEnd = done
      })
      process.kill(chain.pid ?? 0, 'SIGKILL')
      await ended
    }

    const acknowledged: Hex[] = []
    let killed: Promise<void> | undefined
    const gifts = Array.from({ length: 50 }, async () => {
      acknowledged.push(await chain.faucet(operator.address))
      if (acknowledged.length === 30) killed = kill()
    })
    const ends = await Promise.allSettled(gifts)
    expect(ends.some(({ status }) => status === 'rejected')).toBe(true)
    await killed
    await chain.ready
    for (const hash of acknowledged) {
      const { status } = await walletOn(chain).getTransactionReceipt({ hash })
      expect(status).toBe('success')
    }

    const head = await headOf(chain)
    for (let again = 0; again < 2; again++) {
      await kill()
      await chain.ready
      expect(await headOf(chain)).toEqual(head)
    }
  })

  test('listens at once, refuses calls until it has replayed, and drops an incomplete line', async () => {
    const dataDir = await makeFolder()
    const first = await start(dataDir, 1000)
    await Promise.all(Array.from({ length: 60 }, () => first.faucet(operator.address)))
    const head = await headOf(first)
    await first.close()
    await appendFile(join(dataDir, 'chain', 'journal-0'), '1800000000 0x02f8b')

    const chain = await startEmbeddedChain({
      dataDir,
      port: 0,
      operator: operator.address,
      bankKey: PUBLIC_BANK_KEY,
      log: silent,
    })
    cleanUps.push(() => chain.close())
    await expect(walletOn(chain).getBlockNumber()).rejects.toThrow(/replaying its journal/)
    await chain.ready
    expect(await headOf(chain)).toEqual(head)
    expect(chain.progress).toEqual({ replayed: 62, total: 62 })
  })
})
