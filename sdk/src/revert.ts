import { agentSharesAbi } from '@rookery/contracts/abi'
import { BaseError, type ContractErrorName, decodeErrorResult, formatEther, type Hex, isHex } from 'viem'

/** Why the contract refuses a transaction. */
export interface Revert {
  /** The error of the contract; undefined when the chain did not say. */
  readonly error: string | undefined
  readonly args: readonly unknown[]
  readonly sentence: string
}

type Explain = (args: readonly unknown[]) => string

const bnb = (wei: unknown) => `${formatEther(BigInt(String(wei)))} BNB`

const sentences: Readonly<Partial<Record<ContractErrorName<typeof agentSharesAbi>, Explain>>> = {
  CostAboveMaximum: ([cost, limit]) =>
    `the price rose: it would cost ${bnb(cost)}, and the limit was ${bnb(limit)}. Ask for a new quote, or allow more slippage`,
  ProceedsBelowMinimum: ([proceeds, limit]) =>
    `the price fell: it would pay ${bnb(proceeds)}, and the limit was ${bnb(limit)}. Ask for a new quote, or allow more slippage`,
  PaymentTooSmall: ([cost, paid]) => `it costs ${bnb(cost)}, and ${bnb(paid)} were sent. Ask for a new quote`,
  DeadlinePassed: () => 'the quote had expired. Ask for a new one and send it within a minute',
  PermitExpired: () => 'the permit to launch had expired. Ask for a new quote',
  NotLaunched: () => 'the agent has not launched its shares. Its owner buys the first one',
  AlreadyLaunched: () => 'the agent has launched its shares already. Ask for a new quote',
  BalanceTooSmall: ([held, amount]) => `the wallet holds ${held} shares, not ${amount}`,
  SupplyTooSmall: ([supply, amount]) => `${supply} shares are in circulation, not ${amount}`,
  SupplyTooLarge: () => 'an agent cannot have that many shares',
  OwnerKeepsLastShare: () => 'the owner must keep one share of its own agent',
  InvalidReceiver: ([receiver]) => `shares cannot be sent to ${receiver}`,
  NothingToClaim: () => 'no fees wait to be collected',
  ZeroAmount: () => 'the amount is zero',
}

/** Reads the error of the contract from what a node answered. */
export function readRevert(failure: unknown): Revert {
  const data = revertData(failure)
  if (data === undefined) return { error: undefined, args: [], sentence: 'the chain did not say why' }
  try {
    const { errorName: error, args = [] } = decodeErrorResult({ abi: agentSharesAbi, data })
    return { error, args, sentence: sentences[error]?.(args) ?? `the contract says ${error}` }
  } catch {
    return { error: undefined, args: [], sentence: 'the chain did not say why' }
  }
}

// Nodes put the data into the error or one level below.
function revertData(failure: unknown): Hex | undefined {
  if (!(failure instanceof BaseError)) return undefined
  let found: Hex | undefined
  failure.walk((error) => {
    const { data } = error as { data?: unknown }
    const inner = typeof data === 'object' && data !== null ? (data as { data?: unknown }).data : data
    if (isHex(inner) && inner.length > 2) found = inner
    return false
  })
  return found
}
