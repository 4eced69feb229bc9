import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { agentSharesAbi, priceFeedAbi } from '@rookery/contracts'
import { type Hex, parseEther } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
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
} from '../../test/embedded-market.js'
import { ConfigError } from '../config.js'
import { type EmbeddedChain, startEmbeddedChain } from './embedded-chain.js'

let dataDir: string
let remove: () => Promise<void>
const open = new Set<EmbeddedChain>()

beforeEach(async () => {
  const made = await makeDataDir()
  dataDir = made.dataDir
  remove = made.remove
})

afterEach(async () => {
  for (const chain of open) await chain.close()
  open.clear()
  await remove()
})

async function start(more: Parameters<typeof startChain>[1] = {}): Promise<EmbeddedChain> {
  const chain = await startChain(dataDir, more)
  open.add(chain)
  return chain
}

async function stop(chain: EmbeddedChain): Promise<void> {
  await chain.close()
  open.delete(chain)
}

const headOf = async (chain: EmbeddedChain) => {
  const { number, hash } = await walletOn(chain).getBlock()
  return { number, hash }
}

describe('the embedded chain', () => {
  test('has the share contract with its operator and a feed that tells what a BNB is worth', async () => {
    const chain = await start()
    const anyone = walletOn(chain)
    const shares = { address: chain.contract, abi: agentSharesAbi }
    expect(await anyone.readContract({ ...shares, functionName: 'operator' })).toBe(operator.address)
    const feed = { address: chain.priceFeed, abi: priceFeedAbi }
    const [, answer] = await anyone.readContract({ ...feed, functionName: 'latestRoundData' })
    expect(await anyone.readContract({ ...feed, functionName: 'decimals' })).toBe(8)
    expect(answer).toBeGreaterThan(10_00000000n)
    expect(await anyone.getChainId()).toBe(chain.chainId)
  })

  test('mines each signed launch, purchase and sale in a block of its own', async () => {
    const chain = await start()
    const owner = await fundedWallet(chain)
    const before = await owner.getBlockNumber()
    const subject = await launch(chain, owner, 'rook')
    await buy(chain, owner, subject)
    await sell(chain, owner, subject)
    expect(await owner.getBlockNumber()).toBe(before + 3n)
    expect(await sharesOf(chain, owner, subject)).toEqual({ supply: 5n, balance: 5n })
  })

  test('is the same after each restart: head, shares, balances and logs, compacted or not', async () => {
    const first = await start({ compactAfter: 5 })
    const owner = await fundedWallet(first)
    const subject = await launch(first, owner, 'rook')
    for (let i = 0; i < 6; i++) await buy(first, owner, subject)
    const address = owner.account.address
    const see = async (chain: EmbeddedChain) => ({
      head: await headOf(chain),
      shares: await sharesOf(chain, Object.assign(walletOn(chain), { account: owner.account }), subject),
      balance: await walletOn(chain).getBalance({ address }),
      logs: await walletOn(chain).getLogs({ address: first.contract, fromBlock: 0n }),
      contract: chain.contract,
    })
    const seen = await see(first)
    expect(seen.logs.length).toBeGreaterThan(7)
    await stop(first)

    for (let restart = 0; restart < 2; restart++) {
      const again = await start({ compactAfter: 5 })
      expect(await see(again)).toEqual(seen)
      await stop(again)
    }
  })

  test('goes on after a restart where it was', async () => {
    const first = await start({ compactAfter: 4 })
    const owner = await fundedWallet(first)
    const subject = await launch(first, owner, 'rook')
    await stop(first)
    const second = await start({ compactAfter: 4 })
    const wallet = Object.assign(walletOn(second), { account: owner.account })
    for (let i = 0; i < 5; i++) await buy(second, wallet, subject)
    await sell(second, wallet, subject)
    expect(await sharesOf(second, wallet, subject)).toEqual({ supply: 9n, balance: 9n })
  })

  test('comes back after SIGKILL amid transactions with every one it acknowledged', async () => {
    const chain = await start({ compactAfter: 40 })
    const { pid = 0 } = chain
    const acknowledged: Hex[] = []
    const gifts = Array.from({ length: 150 }, async (_, index) => {
      const hash = await chain.faucet(walletOn(chain).account.address)
      acknowledged.push(hash)
      if (index === 99) process.kill(pid, 'SIGKILL')
    })
    const ends = await Promise.allSettled(gifts)
    expect(ends.some(({ status }) => status === 'rejected')).toBe(true)
    await revived(chain, pid)
    const anyone = walletOn(chain)
    expect(acknowledged.length).toBeGreaterThanOrEqual(100)
    for (const hash of acknowledged) expect((await anyone.getTransactionReceipt({ hash })).status).toBe('success')

    const head = await headOf(chain)
    for (let restart = 0; restart < 2; restart++) {
      process.kill(chain.pid ?? 0, 'SIGKILL')
      await revived(chain, chain.pid)
      expect(await headOf(chain)).toEqual(head)
    }
  })

  test('forgets a line that a crash tore, and nothing else', async () => {
    const chain = await start()
    await chain.faucet(walletOn(chain).account.address)
    const head = await headOf(chain)
    await stop(chain)
    await appendFile(join(dataDir, 'chain', 'journal-0'), '1800000000 0x02f8b')
    expect(await headOf(await start())).toEqual(head)
  })

  test('says so and stops when its journal leads to another block', async () => {
    await stop(await start())
    await appendFile(join(dataDir, 'chain', 'journal-0'), `# 2 0x${'1'.repeat(64)}\n`)
    await expect(start()).rejects.toThrow(/should lead to block 2 with hash 0x1{64}, but leads to 0x/)
  })

  test('refuses a folder in use, a port in use and another operator', async () => {
    const chain = await start()
    await expect(startChain(dataDir)).rejects.toThrow(ConfigError)
    const other = await makeDataDir()
    const port = Number(new URL(chain.rpcUrl).port)
    await expect(startChain(other.dataDir, { port })).rejects.toThrow(`CHAIN_PORT ${port} cannot be used`)
    await other.remove()
    await stop(chain)
    const stranger = '0x00000000000000000000000000000000000000bb'
    await expect(startChain(dataDir, { operator: stranger })).rejects.toThrow('OPERATOR_PRIVATE_KEY is not the one')
  })

  test('listens at once and refuses calls until its journal is replayed', async () => {
    const first = await start()
    await Promise.all(Array.from({ length: 60 }, () => first.faucet(operator.address)))
    await stop(first)
    const log = { info: () => {}, error: () => {} }
    const chain = await startEmbeddedChain({ dataDir, port: 0, operator: operator.address, log })
    open.add(chain)
    await expect(walletOn(chain).getBlockNumber()).rejects.toThrow(/replaying its journal/)
    await chain.ready
    expect(await walletOn(chain).getBlockNumber()).toBe(62n)
    expect(chain.progress.replayed).toBe(chain.progress.total)
  })
})

describe('the faucet of the embedded chain', () => {
  test('gives 10 BNB to each who asks, also at the same moment', async () => {
    const chain = await start()
    const wallets = Array.from({ length: 5 }, () => walletOn(chain))
    await Promise.all(wallets.map(({ account }) => chain.faucet(account.address)))
    for (const wallet of wallets)
      expect(await wallet.getBalance({ address: wallet.account.address })).toBe(parseEther('10'))
  })
})

/** Resolves when another process has taken the place of a killed one. */
async function revived(chain: EmbeddedChain, killed: number | undefined): Promise<void> {
  for (;;) {
    const ended = await chain.ready.then(
      () => chain.pid === killed,
      () => true,
    )
    if (!ended) return
    await new Promise((done) => setTimeout(done, 20))
  }
}
