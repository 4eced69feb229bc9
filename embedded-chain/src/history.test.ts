import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { Hex } from 'viem'
import { afterEach, describe, expect, test } from 'vitest'
import { makeDataDir } from '../test/market.js'
import { createHashIndex, indexRecord } from './hash-index.js'
import { type BlockRecord, openHistory } from './history.js'
import { createPast } from './past.js'

const cleanUps: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp()
})

const hash = (): Hex => `0x${randomBytes(32).toString('hex')}`
const ALICE: Hex = `0x${'a'.repeat(40)}`
const BOB: Hex = `0x${'b'.repeat(40)}`
const topic = (digit: string): Hex => `0x${digit.repeat(64)}`

function block(number: number, logs: BlockRecord['receipts'][number]['logs'] = []): BlockRecord {
  const numbers = { number: `0x${number.toString(16)}`, timestamp: '0x1', gasUsed: '0x1', gasLimit: '0x2' } as const
  const transactions = number === 0 ? [] : [{ hash: hash(), gasPrice: '0x0' as const }]
  return { block: { ...numbers, baseFeePerGas: '0x0', hash: hash(), transactions }, receipts: [{ logs }] }
}

async function makeFolder(): Promise<string> {
  const { dataDir, remove } = await makeDataDir()
  cleanUps.push(remove)
  return dataDir
}

describe('the history of a chain', () => {
  test('finds every block by number, by its hash and by its transaction’s hash, also after reopening', async () => {
    const folder = await makeFolder()
    const blocks = Array.from({ length: 50 }, (_, number) => block(number))
    const first = await openHistory(folder, -1)
    await first.append(blocks.slice(0, 7))
    await first.append(blocks.slice(7, 8))
    await first.append(blocks.slice(8))
    for (const history of [first, await openHistory(folder, 49)]) {
      expect(history.last).toBe(49)
      for (const [number, record] of blocks.entries()) {
        expect(await history.block(number)).toEqual(record)
        expect(history.find(record.block.hash)).toBe(number)
        expect(number === 0 || history.find(record.block.transactions[0]?.hash ?? '')).toBe(number === 0 || number)
      }
      expect(await history.block(50)).toBeUndefined()
      expect(history.find(hash())).toBeUndefined()
      expect(history.find(`0x${'0'.repeat(64)}`)).toBeUndefined()
    }
  })

  test('ignores what was written after its last block, and reports missing blocks', async () => {
    const folder = await makeFolder()
    const blocks = Array.from({ length: 12 }, (_, number) => block(number))
    const first = await openHistory(folder, -1)
    await first.append(blocks.slice(0, 5))
    await first.append(blocks.slice(5, 9))
    const second = await openHistory(folder, 4)
    expect(second.last).toBe(4)
    expect(second.find(blocks[6]?.block.hash ?? '')).toBeUndefined()
    await second.append(blocks.slice(5))
    expect((await openHistory(folder, 11)).last).toBe(11)
    await expect(openHistory(folder, 12)).rejects.toThrow('is damaged')
  })

  test('filters logs by address and by the topic at a position', async () => {
    const history = await openHistory(await makeFolder(), -1)
    const logs = [
      { blockNumber: '0x0', address: ALICE, topics: [topic('1'), topic('2')] },
      { blockNumber: '0x1', address: BOB, topics: [topic('1')] },
      { blockNumber: '0x2', address: BOB, topics: [] },
    ] as const
    await history.append(logs.map((log, number) => block(number, [log])))
    const past = createPast(history)
    const findLogs = async (filter: Parameters<typeof past.logs>[2], from = 0, to = 2) =>
      (await past.logs(from, to, filter)).map(({ blockTimestamp, ...log }) => log)
    expect(await findLogs({})).toEqual(logs)
    expect(await findLogs({}, 1, 1)).toEqual([logs[1]])
    expect(await findLogs({ address: BOB.toUpperCase().replace('X', 'x') })).toEqual(logs.slice(1))
    expect(await findLogs({ address: [ALICE, BOB], topics: [topic('1')] })).toEqual(logs.slice(0, 2))
    expect(await findLogs({ topics: [null, [topic('3'), topic('2')]] })).toEqual([logs[0]])
    expect(await findLogs({ topics: [null] })).toEqual(logs.slice(0, 2))
    expect(await findLogs({ topics: [] })).toEqual(logs)
  })
})

describe('the index of hashes', () => {
  test('finds each among thousands and nothing else, even where hashes begin alike', () => {
    const alike = fc.integer({ min: 0, max: 3 }).chain((start) =>
      fc.uint8Array({ minLength: 31, maxLength: 31 }).map((rest): Hex => {
        return `0x0${start}${Buffer.from(rest).toString('hex')}`
      }),
    )
    fc.assert(
      fc.property(fc.uniqueArray(alike, { minLength: 3, maxLength: 400 }), (hashes) => {
        const index = createHashIndex()
        const [stranger = '0x', ...indexed] = hashes
        for (const hash of indexed) index.add(indexRecord(hash, undefined))
        for (const [number, hash] of indexed.entries()) expect(index.find(hash)).toBe(number)
        expect(index.find(stranger)).toBeUndefined()
        expect(index.size).toBe(indexed.length)
      }),
      { numRuns: 20 },
    )
    const index = createHashIndex()
    const many = Array.from({ length: 5000 }, () => [hash(), hash()] as const)
    index.add(Buffer.concat(many.map(([own, transaction]) => indexRecord(own, transaction))))
    for (const [number, [own, transaction]] of many.entries())
      expect([index.find(own), index.find(transaction)]).toEqual([number, number])
  })
})
