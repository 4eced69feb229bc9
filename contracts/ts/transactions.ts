import { type Address, encodeFunctionData, type Hex } from 'viem'
import { agentSharesAbi } from './abi.js'

/**
 * Gas limits for unsigned transactions. They are fixed because a node refuses to estimate for a wallet that cannot pay
 * yet. The measured use is below half of each, so a smart wallet that receives a payment has room.
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
  /** The most that price and fees together may come to. */
  maxCostWei: bigint
  /** The last block timestamp, in seconds, at which the trade may happen. */
  deadline: bigint
}

/** The worst terms a seller accepts. */
export interface SellBounds {
  /** The least to receive, after fees. */
  minProceedsWei: bigint
  /** The last block timestamp, in seconds, at which the trade may happen. */
  deadline: bigint
}

/** The call data of a buy. The transaction's value has to cover the cost; without bounds it is the bound itself. */
export function encodeBuy(trade: { subject: Address; amount: bigint; bounds?: BuyBounds | undefined }): Hex {
  const { subject, amount, bounds } = trade
  return encodeFunctionData({
    abi: agentSharesAbi,
    functionName: 'buyShares',
    args: bounds ? [subject, amount, bounds.maxCostWei, bounds.deadline] : [subject, amount],
  })
}

/** The call data of a sale. */
export function encodeSell(trade: { subject: Address; amount: bigint; bounds?: SellBounds | undefined }): Hex {
  const { subject, amount, bounds } = trade
  return encodeFunctionData({
    abi: agentSharesAbi,
    functionName: 'sellShares',
    args: bounds ? [subject, amount, bounds.minProceedsWei, bounds.deadline] : [subject, amount],
  })
}

/** The call data of a gift of shares to another wallet. */
export function encodeTransfer({ subject, to, amount }: { subject: Address; to: Address; amount: bigint }): Hex {
  return encodeFunctionData({ abi: agentSharesAbi, functionName: 'transferShares', args: [subject, to, amount] })
}

/**
 * The call data of a launch. One share is free; for more, the transaction's value has to cover `quoteBuy(0n, amount)`.
 * `permit` is made by `signLaunchPermit`.
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

/** The call data that pays an agent's waiting fees to its owner, or to a receiver that the owner, as sender, names. */
export function encodeClaimFees({ subject, receiver }: { subject: Address; receiver?: Address | undefined }): Hex {
  return encodeFunctionData({
    abi: agentSharesAbi,
    functionName: 'claimFees',
    args: receiver ? [subject, receiver] : [subject],
  })
}

/** The call data that pays the protocol its waiting fees from trades of these agents. */
export function encodeClaimProtocolFees({ subjects }: { subjects: readonly Address[] }): Hex {
  return encodeFunctionData({ abi: agentSharesAbi, functionName: 'claimProtocolFees', args: [subjects] })
}
