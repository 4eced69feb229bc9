import type { Hex } from 'viem'
import { WrongAnswer } from './wrong-answer.js'

/** A log as JSON-RPC gives it. */
export interface RpcLog {
  readonly address: Hex
  readonly blockNumber: Hex
  readonly blockHash: Hex
  /** Seconds. Newer nodes send it along. */
  readonly blockTimestamp?: Hex
  readonly transactionHash: Hex
  readonly logIndex: Hex
  readonly topics: readonly Hex[]
  readonly data: Hex
  readonly removed?: boolean
}

export interface OrderedLog {
  readonly log: RpcLog
  /** In its block. */
  readonly index: number
  /** Among the logs of its transaction, which keep it when a reorganisation moves them to another block. */
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

/** The same, while the block's time may still have to be asked for: then it is NaN. */
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
  for (const it of ordered) {
    const { log, block, index } = it
    if (log.address.toLowerCase() !== contract) throw new WrongAnswer(`a log of ${log.address} was not asked for`)
    if (before?.block === block) {
      if (before.log.blockHash !== log.blockHash) throw new WrongAnswer(`logs of two blocks with number ${block}`)
      if (before.index === index) continue
    }
    if (before?.log.transactionHash === log.transactionHash) it.ordinal = before.ordinal + 1
    if (before?.block !== block) {
      const time = log.blockTimestamp === undefined ? Number.NaN : Number(log.blockTimestamp)
      blocks.push({ number: block, hash: log.blockHash, time, logs: [] })
    }
    blocks.at(-1)?.logs.push(it)
    before = it
  }
  return blocks
}
