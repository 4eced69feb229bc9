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

/** What the chain says about its newest blocks. */
export interface Tip {
  readonly head: Header
  /** The newest block that cannot be undone, if the chain names one. */
  readonly final: number | undefined
}

/** What a run of blocks contains. */
export interface BlockRange {
  /** Blocks with logs. */
  readonly blocks: readonly LogBlock[]
  /** The last block of the run. */
  readonly end: Header
}

/** Reads the logs of a contract. */
export interface BlockReader {
  tip(): Promise<Tip>
  /** Headers by number; undefined for those that the chain does not have. */
  headers(numbers: readonly number[]): Promise<(Header | undefined)[]>
  /** All blocks from `from` to `to`, by their numbers: fast, and only for blocks that will not change any more. */
  range(from: number, to: number): Promise<BlockRange>
  /** Blocks with logs among these, by their hashes: a block that is no longer part of the chain is an error. */
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

/** Reads logs of the contract with one of the topics in the first place. */
export function createBlockReader(rpc: Rpc, contract: Hex, topics: readonly Hex[]): BlockReader {
  const filter = { address: contract, topics: [topics] }
  const contractBits = bloomBits(contract)
  const topicBits = topics.map(bloomBits)
  let namesFinal = true

  async function headers(numbers: readonly number[]): Promise<(Header | undefined)[]> {
    const outcomes = await rpc.batch(numbers.map(blockByNumber))
    return outcomes.map((outcome) => headerOf(resultOf(outcome)))
  }

  async function logsOf(filters: readonly object[]): Promise<RpcLog[][]> {
    const outcomes = await rpc.batch(filters.map((it) => ({ method: 'eth_getLogs', params: [{ ...filter, ...it }] })))
    return outcomes.map((outcome) => logList(resultOf(outcome)))
  }

  function mayHaveLogs({ logsBloom }: Header): boolean {
    return mayContain(logsBloom, contractBits) && topicBits.some((bits) => mayContain(logsBloom, bits))
  }

  async function findTimes(blocks: readonly UntimedBlock[], end: Header): Promise<void> {
    const untimed = blocks.filter((it) => Number.isNaN(it.time))
    const found = await headers(untimed.map((it) => it.number))
    for (const [index, block] of untimed.entries()) block.time = timeOf(block, found[index])
    const last = blocks.at(-1)
    if (last?.number === end.number) timeOf(last, end)
  }

  return {
    headers,

    async tip() {
      const [latest, finalized] = await rpc.batch([
        blockByNumber('latest'),
        ...(namesFinal ? [blockByNumber('finalized')] : []),
      ])
      const head = latest && headerOf(resultOf(latest))
      if (!head) throw new WrongAnswer('the chain has no newest block')
      if (!finalized) return { head, final: undefined }
      if ('error' in finalized) {
        // Not every node knows the word; one that is only busy is asked again.
        if (finalized.error.isTransient) throw finalized.error
        namesFinal = false
        return { head, final: undefined }
      }
      return { head, final: headerOf(finalized.result)?.number }
    },

    async range(from, to) {
      // One request, so that the node that has no logs yet also has no last block yet.
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
      const logs = await logsOf(headers.map(({ hash }) => ({ blockHash: hash })))
      // A node that has just taken a block in may know its header before its logs.
      const suspect = headers.flatMap((header, index) =>
        logs[index]?.length === 0 && mayHaveLogs(header) ? [index] : [],
      )
      const again = await logsOf(suspect.map((index) => ({ blockHash: headers[index]?.hash })))
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
  if (header?.hash !== block.hash) throw new WrongAnswer(`block ${block.number} is not the one its logs are of`)
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
