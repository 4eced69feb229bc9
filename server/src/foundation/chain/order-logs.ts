import type { Hex } from 'viem'
import { WrongAnswer } from './wrong-answer.js'

/** A log as JSON-RPC returns it. */
export interface RpcLog {
  readonly address: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  /** Seconds. Only newer nodes include it. */
  readonly blockTimestamp?: Hex
  readonly transactionHash: Hex
  readonly logIndex: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly removed?: boolean
}

export interface OrderedLog {
  readonly log: RpcLog
  /** The position in its block. */
  readonly index: number
  /** The position in its transaction, which stays the same when a reorganisation moves it to another block. */
  readonly ordinal: number
}

/** The logs of one block, in order. */
export interface LogBlock {
  readonly number: number
  readonly hash: string
  /** Seconds. */
  readonly time: number
  readonly logs: readonly OrderedLog[]
}

/** A block whose time is NaN until it has been read. */
export interface UntimedBlock extends LogBlock {
  time: number
  readonly logs: OrderedLog[]
}

/** Orders the logs of a contract, block by block. A log that comes twice counts once. */
export function orderLogs(logs: readonly RpcLog[], contract: string): UntimedBlock[] {
  const ordered = logs
    .filter((log) => !log.removed)
    .map((log) => ({ log, block: Number(log.blockNumber), index: Number(log.logIndex), ordinal: 0 }))
    .sort((a, b) => a.block - b.block || a.index - b.index)
  const blocks: UntimedBlock[] = []
  let before: (typeof ordered)[number] | undefined
  for (const entry of ordered) {
    const { log, block, index } = entry
    if (log.address.toLowerCase() !== contract) throw new WrongAnswer(`a log of ${log.address} was not requested`)
    if (before?.block === block) {
      if (before.log.blockHash !== log.blockHash) throw new WrongAnswer(`logs of two blocks with number ${block}`)
      if (before.index === index) continue
    }
    if (before?.log.transactionHash === log.transactionHash) entry.ordinal = before.ordinal + 1
    if (before?.block !== block) {
      const time = log.blockTimestamp === undefined ? Number.NaN : Number(log.blockTimestamp)
      blocks.push({ number: block, hash: log.blockHash, time, logs: [] })
    }
    blocks.at(-1)?.logs.push(entry)
    before = entry
  }
  return blocks
}
