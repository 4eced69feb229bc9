import { eventTopics } from '@rookery/contracts'
import type { Address, Hex } from 'viem'
import type { LogBlock, OrderedLog } from '../../foundation/chain/order-logs.js'
import { WrongAnswer } from '../../foundation/chain/wrong-answer.js'

/** Where something happened. */
export interface Place {
  readonly transactionHash: Hex
  readonly logIndex: number
  readonly block: number
  /** Of the block, in seconds. */
  readonly time: number
  /** Made from the transaction, so it stays when a reorganisation moves that to another block. */
  readonly id: string
}

export interface TradeEvent extends Place {
  readonly kind: 'trade'
  readonly trader: Address
  readonly subject: Address
  readonly isBuy: boolean
  readonly amount: number
  readonly priceWei: bigint
  readonly protocolFeeWei: bigint
  readonly subjectFeeWei: bigint
  /** Shares in circulation, and in the trader's wallet, after it. */
  readonly supply: number
  readonly balance: number
}

export interface TransferEvent extends Place {
  readonly kind: 'transfer'
  readonly sender: Address
  readonly receiver: Address
  readonly subject: Address
  readonly amount: number
  readonly senderBalance: number
  readonly receiverBalance: number
}

export interface LaunchEvent extends Place {
  readonly kind: 'launch'
  readonly subject: Address
  readonly owner: Address
  readonly name: string
}

export type ShareEvent = TradeEvent | TransferEvent | LaunchEvent

/** First topics of the events that are followed. */
export const FOLLOWED_TOPICS: readonly Hex[] = [eventTopics.Trade, eventTopics.Transfer, eventTopics.Launched]

/**
 * What happened in blocks, in order. Written by hand, since a general decoder takes as long as everything else together.
 * @throws WrongAnswer when the contract cannot have written a log
 */
export function decodeBlocks(blocks: readonly LogBlock[]): ShareEvent[] {
  return blocks.flatMap(({ number, time, logs }) => logs.map((it) => decodeLog(it, number, time)))
}

function decodeLog({ log, index, ordinal }: OrderedLog, block: number, time: number): ShareEvent {
  const { data, topics, transactionHash } = log
  const place = { transactionHash, logIndex: index, block, time, id: eventId(transactionHash, ordinal) }
  switch (topics[0]) {
    case eventTopics.Trade:
      return {
        kind: 'trade',
        ...place,
        trader: address(data, 0),
        subject: address(data, 1),
        isBuy: small(data, 2) === 1,
        amount: small(data, 3),
        priceWei: word(data, 4),
        protocolFeeWei: word(data, 5),
        subjectFeeWei: word(data, 6),
        supply: small(data, 7),
        balance: small(data, 8),
      }
    case eventTopics.Transfer:
      return {
        kind: 'transfer',
        ...place,
        sender: addressTopic(topics[1]),
        receiver: addressTopic(topics[2]),
        subject: addressTopic(topics[3]),
        amount: small(data, 0),
        senderBalance: small(data, 1),
        receiverBalance: small(data, 2),
      }
    case eventTopics.Launched:
      return {
        kind: 'launch',
        ...place,
        subject: addressTopic(topics[1]),
        owner: addressTopic(topics[2]),
        name: text(data),
      }
    default:
      throw new WrongAnswer(`a log with topic ${topics[0]} was not asked for`)
  }
}

/** UUIDv8: the beginning of the transaction's hash, and which of its events it is. */
function eventId(transactionHash: string, ordinal: number): string {
  const h = transactionHash
  const last = ordinal.toString(16).padStart(4, '0')
  return `${h.slice(2, 10)}-${h.slice(10, 14)}-8${h.slice(14, 17)}-8${h.slice(17, 20)}-${h.slice(20, 28)}${last}`
}

const WORD = 64
const ZEROS = '0'.repeat(51)

function start(index: number): number {
  return 2 + index * WORD
}

function word(data: Hex, index: number): bigint {
  if (data.length < start(index + 1)) throw new WrongAnswer('a log is shorter than its event')
  return BigInt(`0x${data.slice(start(index), start(index + 1))}`)
}

/** A number that the contract keeps far below 2^52. */
function small(data: Hex, index: number): number {
  const begin = start(index)
  if (data.length < begin + WORD || data.slice(begin, begin + 51) !== ZEROS)
    throw new WrongAnswer('a log has a number that the contract cannot have written')
  return Number.parseInt(data.slice(begin + 51, begin + WORD), 16)
}

function address(data: Hex, index: number): Address {
  return `0x${data.slice(start(index) + 24, start(index) + WORD).toLowerCase()}`
}

function addressTopic(topic: Hex | undefined): Address {
  if (topic?.length !== 66) throw new WrongAnswer('a log lacks a topic of its event')
  return `0x${topic.slice(26).toLowerCase()}`
}

function text(data: Hex): string {
  const length = small(data, 1)
  const bytes = Buffer.from(data.slice(start(2), start(2) + length * 2), 'hex')
  // PostgreSQL keeps no zero bytes in texts.
  return bytes.toString('utf8').replaceAll('\0', '')
}
