import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Address, concat, getContractAddress, type Hex, pad, parseEther, toHex, zeroAddress } from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { createTestClock } from '../test/clock.js'
import { bank, makeDataDir, operator } from '../test/market.js'
import { createGenesis } from './genesis.js'
import type { RpcHandler } from './json-rpc.js'
import { createMethods } from './methods.js'
import { type Node, openNode } from './node.js'
import { ChainRefusal } from './refusal.js'

const NEVER = 1_000_000
const opened: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close()
})

async function makeFolder(): Promise<string> {
  const { dataDir, remove } = await makeDataDir()
  opened.push(remove)
  return dataDir
}

async function open(folder: string, compactAfter: number): Promise<Node> {
  const fail = (error: Error) => {
    throw error
  }
  const genesis = await createGenesis(operator.address, bank)
  const clock = createTestClock()
  return openNode({ folder, genesis, clock, compactAfter, onProgress: () => {}, onBlocks: () => {}, onFailure: fail })
}

const walletAt = (index: number) => privateKeyToAccount(pad(toHex(index + 7001), { size: 32 }))
const gift = (nonce: number, to: Address, value: bigint) => bank.sign({ nonce, to, value, gas: 100_000n })

function sign(wallet: PrivateKeyAccount, transaction: Parameters<PrivateKeyAccount['signTransaction']>[0]) {
  const fees = { maxFeePerGas: 7n, maxPriorityFeePerGas: 7n }
  return wallet.signTransaction({ chainId: 31_337, type: 'eip1559', gas: 200_000n, ...fees, ...transaction } as never)
}

// Stores its second argument in the slot of its first, and keeps what it is paid.
const STORE_CODE: Hex = '0x6020356000355500'
const deployStore: Hex = concat(['0x67', STORE_CODE, '0x5f526008', '0x6018', '0xf3'])
// Destroys itself in the transaction that creates it, leaving its money to the caller.
const deployNothing: Hex = '0x33ff'
const write = (slot: number, value: number): Hex =>
  concat([pad(toHex(slot), { size: 32 }), pad(toHex(value), { size: 32 })])

const [rich, poor, delegating] = [walletAt(0), walletAt(1), walletAt(2)]
const contract = getContractAddress({ from: rich.address, nonce: 0n })
const miner: Address = '0x00000000000000000000000000000000000c01ba'
const touched: Address[] = [rich.address, poor.address, delegating.address, bank.address, contract, miner, zeroAddress]

/** Transactions that change the state in every way. */
async function transactions(): Promise<Hex[]> {
  const all = [
    await gift(2, rich.address, parseEther('5')),
    await gift(3, poor.address, 1_000_000_000n),
    await gift(4, delegating.address, parseEther('1')),
    await sign(rich, { nonce: 0, data: deployStore }),
  ]
  for (let i = 0; i < 6; i++) all.push(await sign(rich, { nonce: i + 1, to: contract, data: write(i, i + 10) }))
  all.push(
    await sign(rich, { nonce: 7, to: contract, data: write(1, 0) }),
    await sign(rich, { nonce: 8, to: contract, data: write(2, 99), value: 5n }),
    await sign(rich, { nonce: 9, data: deployNothing, value: 3n }),
    await sign(rich, { nonce: 10, to: contract, data: write(3, 0), gas: 22_000n }),
    await sign(poor, { nonce: 0, to: zeroAddress, value: 1_000_000_000n - 7n * 21_000n, gas: 21_000n }),
  )
  const authorization = await delegating.signAuthorization({ chainId: 31_337, address: contract, nonce: 1 })
  const to = delegating.address
  all.push(
    await sign(delegating, { nonce: 0, to, authorizationList: [authorization], data: '0x', type: 'eip7702' } as never),
    await sign(rich, { nonce: 11, to, data: write(4, 44) }),
    await sign(rich, { nonce: 12, to: contract, data: write(1, 1) }),
  )
  return all
}

async function stateOf(node: Node) {
  const call = createMethods(node)
  const logs = (await call('eth_getLogs', [{ fromBlock: '0x0' }])) as { address: Hex; data: Hex }[]
  return {
    head: node.head.number,
    logs: logs.map(({ address, data }) => [address, data]),
    accounts: await Promise.all(
      touched.map(async (address) => ({
        address,
        balance: await call('eth_getBalance', [address, 'latest']),
        nonce: await call('eth_getTransactionCount', [address, 'pending']),
        code: await call('eth_getCode', [address]),
        slots: await Promise.all([0, 1, 2, 3, 4, 5].map((slot) => readSlot(call, address, slot))),
      })),
    ),
  }
}

const readSlot = async (call: RpcHandler, address: Address, slot: number) =>
  Number(await call('eth_getStorageAt', [address, toHex(slot), 'latest']))

describe('a compacted chain', () => {
  test.each([1, 2, 3, 5, 8])('has the same state as an uncompacted one, when compacted after %i', async (every) => {
    const plain = await open(await makeFolder(), NEVER)
    const compacted = await open(await makeFolder(), every)
    opened.push(plain.close, compacted.close)
    for (const raw of await transactions()) {
      await plain.send(raw)
      await compacted.send(raw)
    }
    expect(plain.ledger.history.last).toBe(-1)
    expect(compacted.ledger.history.last).toBeGreaterThan(10)
    const state = await stateOf(plain)
    expect(await stateOf(compacted)).toEqual(state)
    const account = (address: Address) => state.accounts.find((candidate) => candidate.address === address)
    expect(account(contract)).toMatchObject({ code: STORE_CODE, balance: '0x5', slots: [10, 1, 99, 13, 14, 15] })
    expect(account(delegating.address)).toMatchObject({ code: concat(['0xef0100', contract]).toLowerCase() })
    expect(account(delegating.address)?.slots).toEqual([0, 0, 0, 0, 44, 0])
    expect(account(poor.address)).toMatchObject({ balance: '0x0', nonce: '0x1' })
  })

  test('keeps every block, transaction, receipt and log unchanged', async () => {
    const node = await open(await makeFolder(), NEVER)
    opened.push(node.close)
    for (const raw of await transactions()) await node.send(raw)
    const call = createMethods(node)

    async function readAll() {
      const seen: unknown[] = [await call('eth_getLogs', [{ fromBlock: 'earliest', toBlock: 'latest' }])]
      for (let number = 0; number <= node.head.number; number++) {
        const block = (await call('eth_getBlockByNumber', [toHex(number), true])) as { hash: Hex; transactions: Hash[] }
        const { hash } = block.transactions[0] ?? { hash: `0x${'0'.repeat(64)}` }
        seen.push(block, await call('eth_getBlockByHash', [block.hash, false]))
        seen.push(await call('eth_getTransactionByHash', [hash]), await call('eth_getTransactionReceipt', [hash]))
        seen.push(await call('eth_getTransactionByBlockNumberAndIndex', [toHex(number), '0x0']))
        seen.push(await call('eth_getBlockTransactionCountByHash', [block.hash]))
        seen.push(await call('eth_getLogs', [{ blockHash: block.hash }]))
        seen.push(await call('eth_feeHistory', ['0x2', toHex(number), [50]]))
      }
      return seen
    }
    const before = await readAll()
    await node.ledger.compact(node.evm, node.head)
    expect(node.ledger.history.last).toBe(node.head.number)
    expect(await readAll()).toEqual(before)
  })

  test('produces the same blocks when reopened, whatever was read in between', async () => {
    const folder = await makeFolder()
    const first = await open(folder, 6)
    const call = createMethods(first)
    for (const raw of await transactions()) {
      await first.send(raw)
      await call('eth_getBlockByNumber', ['pending', true])
      await call('eth_estimateGas', [{ from: bank.address, to: bank.address }])
      await call('eth_call', [{ to: bank.address }, 'pending'])
    }
    const { head } = first
    expect(first.ledger.journal.length).toBeGreaterThan(0)
    await first.close()
    const second = await open(folder, 6)
    expect(second.head).toEqual(head)
    await second.close()
    const third = await open(folder, 6)
    expect(third.head).toEqual(head)
    await third.close()
  })

  test('refuses to read a state that it no longer has', async () => {
    const node = await open(await makeFolder(), 4)
    opened.push(node.close)
    for (const raw of await transactions()) await node.send(raw)
    const call = createMethods(node)
    const genesis = (await call('eth_getBlockByNumber', ['0x0', false])) as { hash: Hex }
    await expect(call('eth_getBalance', [bank.address, '0x1'])).rejects.toThrow('The state after block 1 is not kept')
    await expect(call('eth_call', [{ to: bank.address }, { blockHash: genesis.hash }])).rejects.toThrow('is not kept')
  })
})

describe('a chain’s journal', () => {
  test('does not repeat a refused transaction', async () => {
    const folder = await makeFolder()
    const first = await open(folder, NEVER)
    const early = await gift(3, operator.address, 2n)
    await expect(first.send(early)).rejects.toThrow('Nonce too high')
    await first.send(await gift(2, operator.address, 1n))
    const { head } = first
    await first.close()
    const second = await open(folder, NEVER)
    expect(second.head).toEqual(head)
    await second.send(early)
    expect(second.head.number).toBe(head.number + 1)
    await second.close()
  })

  test('accepts many transactions at once in the order of arrival', async () => {
    const node = await open(await makeFolder(), 20)
    opened.push(node.close)
    const raws = await Promise.all(Array.from({ length: 50 }, (_, index) => gift(index + 2, operator.address, 1n)))
    const hashes = await Promise.all(raws.map((raw) => node.send(raw)))
    const call = createMethods(node)
    const last = (await call('eth_getTransactionReceipt', [hashes[49]])) as { blockNumber: Hex }
    expect(Number(last.blockNumber)).toBe(52)
  })

  test('stops the start when it leads to a different block, and when it is damaged', async () => {
    const folder = await makeFolder()
    await (await open(folder, NEVER)).close()
    await appendFile(join(folder, 'journal-0'), `# 2 0x${'1'.repeat(64)}\n`)
    await expect(open(folder, NEVER)).rejects.toThrow(
      /does not come out as it was: block 2 should have hash 0x1{64}, but is 0x/,
    )
    await appendFile(join(folder, 'journal-0'), 'rubbish\n')
    await expect(open(folder, NEVER)).rejects.toThrow(/journal-0 is damaged in line 5/)
  })

  test('belongs to one operator', async () => {
    const folder = await makeFolder()
    await (await open(folder, NEVER)).close()
    const genesis = await createGenesis(bank.address, bank)
    const options = { folder, genesis, clock: createTestClock(), compactAfter: NEVER }
    const opening = openNode({ ...options, onProgress: () => {}, onBlocks: () => {}, onFailure: () => {} })
    await expect(opening).rejects.toThrow('was made with another operator')
  })

  test('of a newer version is refused and left untouched', async () => {
    const folder = await makeFolder()
    await (await open(folder, NEVER)).close()
    const file = join(folder, 'chain.json')
    const newer = (await readFile(file, 'utf8')).replace('"version": 1', '"version": 2')
    await writeFile(file, newer)
    const error = await open(folder, NEVER).catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ChainRefusal)
    expect(String(error)).toMatch(/has files of version 2; this program reads version 1/)
    expect(await readFile(file, 'utf8')).toBe(newer)
  })

  test('has a transaction on disk before it becomes a block', async () => {
    const folder = await makeFolder()
    const node = await open(folder, NEVER)
    opened.push(node.close)
    const raw = await gift(2, operator.address, 1n)
    await node.send(raw)
    expect(await readFile(join(folder, 'journal-0'), 'utf8')).toContain(raw)
  })
})

interface Hash {
  readonly hash: Hex
}
