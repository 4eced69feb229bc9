import { eventTopics } from '@rookery/contracts'
import type { Address, Hex } from 'viem'
import type { LogBlock, OrderedLog } from '../../foundation/chain/order-logs.js'
import { WrongAnswer } from '../../foundation/chain/wrong-answer.js'

/** An event's location on the chain. */
export interface Place {
  readonly transactionHash: Hex
  readonly logIndex: number
  readonly block: number
  /** Of the block, in seconds. */
  readonly time: number
  /** Derived from the transaction, so it stays the same when a reorganisation moves the transaction to another block. */
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
  /** Shares in circulation, and in the trader's wallet, after the trade. */
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

/** Fees of an agent that were paid out. */
export interface ClaimEvent extends Place {
  readonly kind: 'claim'
  readonly subject: Address
  readonly receiver: Address
  readonly amountWei: bigint
}

export type ShareEvent = TradeEvent | TransferEvent | LaunchEvent | ClaimEvent

/** The first topics of the events to follow. */
export const FOLLOWED_TOPICS: readonly Hex[] = [
  eventTopics.Trade,
  eventTopics.Transfer,
  eventTopics.Launched,
  eventTopics.FeesClaimed,
]

/**
 * Decodes the events of blocks, in order. Decodes by hand, because a general decoder takes as long as all other work on
 * a block together.
 * @throws WrongAnswer when a log cannot have come from the contract
 */
export function decodeBlocks(blocks: readonly LogBlock[]): ShareEvent[] {
  return blocks.flatMap(({ number, time, logs }) => logs.map((log) => decodeLog(log, number, time)))
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
    case eventTopics.FeesClaimed:
      return {
        kind: 'claim',
        ...place,
        subject: addressTopic(topics[1]),
        receiver: addressTopic(topics[2]),
        amountWei: word(data, 0),
      }
    default:
      throw new WrongAnswer(`a log with topic ${topics[0]} was not asked for`)
  }
}

/** UUIDv8: the beginning of the transaction's hash, and the event's ordinal within the transaction. */
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
  // PostgreSQL cannot store zero bytes in text.
  return bytes.toString('utf8').replaceAll('\0', '')
}
