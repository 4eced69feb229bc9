import { type Address, encodeFunctionData, type Hex } from 'viem'
import { agentSharesAbi } from './abi.js'

/**
 * Gas limits for unsigned transactions. They are fixed because a node does not estimate gas for a wallet that cannot pay
 * yet. Measured usage is below half of each, which leaves room for a smart wallet that receives a payment.
 */
export const GAS_LIMITS = {
  launch: 250_000n,
  buy: 150_000n,
  sell: 150_000n,
  transfer: 150_000n,
  claimFees: 150_000n,
} as const

/** The worst terms a buyer accepts. */
export interface BuyBounds {
  /** The maximum of price and fees together. */
  maxCostWei: bigint
  /** The latest block timestamp, in seconds, at which the trade may happen. */
  deadline: bigint
}

/** The worst terms a seller accepts. */
export interface SellBounds {
  /** The minimum to receive, after fees. */
  minProceedsWei: bigint
  /** The latest block timestamp, in seconds, at which the trade may happen. */
  deadline: bigint
}

/** Encodes a buy. The transaction's value must cover the cost; without bounds, the value is the upper bound. */
export function encodeBuy(trade: { subject: Address; amount: bigint; bounds?: BuyBounds | undefined }): Hex {
  const { subject, amount, bounds } = trade
  return encodeFunctionData({
    abi: agentSharesAbi,
    functionName: 'buyShares',
    args: bounds ? [subject, amount, bounds.maxCostWei, bounds.deadline] : [subject, amount],
  })
}

/** Encodes a sale. */
export function encodeSell(trade: { subject: Address; amount: bigint; bounds?: SellBounds | undefined }): Hex {
  const { subject, amount, bounds } = trade
  return encodeFunctionData({
    abi: agentSharesAbi,
    functionName: 'sellShares',
    args: bounds ? [subject, amount, bounds.minProceedsWei, bounds.deadline] : [subject, amount],
  })
}

/** Encodes a transfer of shares to another wallet. */
export function encodeTransfer({ subject, to, amount }: { subject: Address; to: Address; amount: bigint }): Hex {
  return encodeFunctionData({ abi: agentSharesAbi, functionName: 'transferShares', args: [subject, to, amount] })
}

/**
 * Encodes a launch. One share is free; for more, the transaction's value must cover `quoteBuy(0n, amount)`. `permit`
 * comes from `signLaunchPermit`.
 */
export function encodeLaunch(launch: {
  subject: Address
  name: string
  permit: Hex
  amount?: bigint | undefined
}): Hex {
  const { subject, name, permit, amount = 1n } = launch
  return encodeFunctionData({
    abi: agentSharesAbi,
    functionName: 'launch',
    args: amount === 1n ? [subject, name, permit] : [subject, name, permit, amount],
  })
}

/** Encodes the payout of an agent's unclaimed fees to its owner, or to a receiver chosen by the owner as sender. */
export function encodeClaimFees({ subject, receiver }: { subject: Address; receiver?: Address | undefined }): Hex {
  return encodeFunctionData({
    abi: agentSharesAbi,
    functionName: 'claimFees',
    args: receiver ? [subject, receiver] : [subject],
  })
}

/** Encodes the payout of the protocol's unclaimed fees from trades of these agents. */
export function encodeClaimProtocolFees({ subjects }: { subjects: readonly Address[] }): Hex {
  return encodeFunctionData({ abi: agentSharesAbi, functionName: 'claimProtocolFees', args: [subjects] })
}
