import type { Hex } from 'viem'
import { bloomBits, mayContain } from './bloom.js'
import { type LogBlock, orderLogs, type RpcLog, type UntimedBlock } from './order-logs.js'
import { type Rpc, RpcError, resultOf } from './rpc.js'
import { WrongAnswer } from './wrong-answer.js'

/** A block without its transactions. */
export interface Header {
  readonly number: number
  readonly hash: string
  readonly parentHash: string
  /** Seconds. */
  readonly time: number
  readonly logsBloom: Hex
}

/** The newest blocks of the chain. */
export interface Tip {
  readonly head: Header
  /** The newest final block, if the node reports one. */
  readonly final: number | undefined
}

/** The contents of a range of blocks. */
export interface BlockRange {
  /** Blocks with logs. */
  readonly blocks: readonly LogBlock[]
  /** The last block of the range. */
  readonly end: Header
}

/** Reads the logs of a contract. */
export interface BlockReader {
  tip(): Promise<Tip>
  /** Headers by number; undefined for those that the chain does not have. */
  headers(numbers: readonly number[]): Promise<(Header | undefined)[]>
  /** Reads all blocks from `from` to `to` by number: fast, but only for blocks that no longer change. */
  range(from: number, to: number): Promise<BlockRange>
  /** Reads by hash those of these blocks that have logs; fails if one is no longer part of the chain. */
  blocks(headers: readonly Header[]): Promise<LogBlock[]>
}

interface RpcBlock {
  readonly number: Hex
  readonly hash: Hex
  readonly parentHash: Hex
  readonly timestamp: Hex
  readonly logsBloom: Hex
}

const quantity = (value: number): Hex => `0x${value.toString(16)}`
const blockByNumber = (number: number | 'latest' | 'finalized') => ({
  method: 'eth_getBlockByNumber',
  params: [typeof number === 'number' ? quantity(number) : number, false],
})

/** Reads the contract's logs whose first topic is one of these. */
export function createBlockReader(rpc: Rpc, contract: Hex, topics: readonly Hex[]): BlockReader {
  const filter = { address: contract, topics: [topics] }
  const contractBits = bloomBits(contract)
  const topicBits = topics.map(bloomBits)
  let reportsFinal = true

  async function headers(numbers: readonly number[]): Promise<(Header | undefined)[]> {
    const outcomes = await rpc.batch(numbers.map(blockByNumber))
    return outcomes.map((outcome) => headerOf(resultOf(outcome)))
  }

  async function readLogs(filters: readonly object[]): Promise<RpcLog[][]> {
    const outcomes = await rpc.batch(
      filters.map((more) => ({ method: 'eth_getLogs', params: [{ ...filter, ...more }] })),
    )
    return outcomes.map((outcome) => logList(resultOf(outcome)))
  }

  function mayHaveLogs({ logsBloom }: Header): boolean {
    return mayContain(logsBloom, contractBits) && topicBits.some((bits) => mayContain(logsBloom, bits))
  }

  async function findTimes(blocks: readonly UntimedBlock[], end: Header): Promise<void> {
    const untimed = blocks.filter(({ time }) => Number.isNaN(time))
    const untimedHeaders = await headers(untimed.map(({ number }) => number))
    for (const [index, block] of untimed.entries()) block.time = timeOf(block, untimedHeaders[index])
    const last = blocks.at(-1)
    if (last?.number === end.number) timeOf(last, end)
  }

  return {
    headers,

    async tip() {
      const [latest, finalized] = await rpc.batch([
        blockByNumber('latest'),
        ...(reportsFinal ? [blockByNumber('finalized')] : []),
      ])
      const head = latest && headerOf(resultOf(latest))
      if (!head) throw new WrongAnswer('the chain has no newest block')
      if (!finalized) return { head, final: undefined }
      if ('error' in finalized) {
        // Not every node supports the tag; if the node is only busy, try again.
        if (finalized.error.isTransient) throw finalized.error
        reportsFinal = false
        return { head, final: undefined }
      }
      return { head, final: headerOf(finalized.result)?.number }
    },

    async range(from, to) {
      // One request, so that a node that lacks the newest logs also lacks the last block.
      const [logs, last] = await rpc.batch([
        { method: 'eth_getLogs', params: [{ ...filter, fromBlock: quantity(from), toBlock: quantity(to) }] },
        blockByNumber(to),
      ])
      const end = last && headerOf(resultOf(last))
      if (!logs || !end) throw new WrongAnswer(`the node does not have block ${to} yet`)
      const blocks = orderLogs(logList(resultOf(logs)), contract)
      if (blocks.some(({ number }) => number < from || number > to))
        throw new WrongAnswer(`logs outside of blocks ${from} to ${to}`)
      await findTimes(blocks, end)
      return { blocks, end }
    },

    async blocks(headers) {
      const logs = await readLogs(headers.map(({ hash }) => ({ blockHash: hash })))
      // A node may have the header of a new block before its logs.
      const suspect = headers.flatMap((header, index) =>
        logs[index]?.length === 0 && mayHaveLogs(header) ? [index] : [],
      )
      const again = await readLogs(suspect.map((index) => ({ blockHash: headers[index]?.hash })))
      for (const [i, index] of suspect.entries()) logs[index] = again[i] ?? []
      return headers.flatMap((header, index) => {
        const [block, other] = orderLogs(logs[index] ?? [], contract)
        if (!block) return []
        if (other || block.number !== header.number || block.hash !== header.hash)
          throw new WrongAnswer(`logs of another block than ${header.hash}`)
        block.time = header.time
        return [block]
      })
    },
  }
}

function timeOf(block: UntimedBlock, header: Header | undefined): number {
  if (header?.hash !== block.hash) throw new WrongAnswer(`block ${block.number} is not the block of its logs`)
  return header.time
}

function logList(answer: unknown): RpcLog[] {
  if (!Array.isArray(answer)) throw new WrongAnswer('a list of logs was expected')
  return answer
}

function headerOf(answer: unknown): Header | undefined {
  if (answer === null || answer === undefined) return undefined
  const { number, hash, parentHash, timestamp, logsBloom } = answer as RpcBlock
  if (!number || !hash || !parentHash || !timestamp) throw new RpcError('the chain sent half a block', undefined)
  return { number: Number(number), hash, parentHash, time: Number(timestamp), logsBloom: logsBloom ?? '0x' }
}
