import { agentSharesAbi } from '@rookery/contracts'
import { decodeErrorResult, formatEther, type Hex } from 'viem'

/** Why the contract refuses a transaction. */
export interface Revert {
  /** The contract's name of the error; empty if it is none of its own. */
  readonly name: string
  /** A sentence for people and agents, without the full stop. Nothing in it is text from the chain. */
  readonly reason: string
}

type Args = readonly unknown[]

const bnb = (wei: unknown) => `${formatEther(BigInt(String(wei)))} BNB`
const time = (seconds: unknown) =>
  BigInt(String(seconds)) < 8_000_000_000_000n ? new Date(Number(seconds) * 1000).toISOString() : String(seconds)

/** What the errors of the contract mean for who sent the transaction. */
const REASONS: Readonly<Record<string, (args: Args) => string>> = {
  ZeroAmount: () => 'the amount is zero; trade or send at least one share',
  NotLaunched: () => 'the agent has no shares yet; its owner has to launch it first',
  AlreadyLaunched: () => 'the agent is launched already; buy its shares instead',
  WrongSubject: () => 'the subject is not that of the sending wallet and the name; send from the owner’s wallet',
  WrongPermitLength: () => 'the launch permit is damaged; ask for a new quote',
  PermitExpired: ([deadline]) => `the launch permit expired at ${time(deadline)}; ask for a new quote`,
  MalleableSignature: () => 'the launch permit is damaged; ask for a new quote',
  WrongSigner: () => 'the launch permit is not signed by the operator of the contract',
  DeadlinePassed: ([deadline]) => `it came too late: the quote expired at ${time(deadline)}; ask for a new one`,
  PaymentTooSmall: ([cost, paid]) => `it costs ${bnb(cost)}, and only ${bnb(paid)} was sent with it`,
  CostAboveMaximum: ([cost, most]) =>
    `the price rose above your limit: it costs ${bnb(cost)}, and you allow ${bnb(most)}`,
  ProceedsBelowMinimum: ([proceeds, least]) =>
    `the price fell below your limit: it pays ${bnb(proceeds)}, and you want ${bnb(least)}`,
  BalanceTooSmall: ([balance, amount]) => `the wallet holds ${balance} of the ${amount} shares`,
  SupplyTooSmall: ([supply, amount]) => `only ${supply} shares are in circulation, fewer than ${amount}`,
  SupplyTooLarge: () => 'more shares than the contract allows would be in circulation',
  OwnerKeepsLastShare: () => 'the owner of an agent must keep its last share',
  InvalidReceiver: ([receiver]) => `${receiver} cannot receive shares or fees`,
  PaymentFailed: ([receiver]) => `${receiver} refused its payment`,
  NothingToClaim: () => 'no fees wait to be collected',
  NotAgentOwner: () => 'only the owner of the agent can do this',
  Reentered: () => 'the receiver of a payment called the contract again',
}

/** Reads the data that a reverted call returned. A text in it may be anybody's, so only the contract's own errors are told. */
export function readRevert(data: Hex): Revert {
  try {
    const { errorName: name, args = [] } = decodeErrorResult({ abi: agentSharesAbi, data })
    const reason = Object.hasOwn(REASONS, name) ? REASONS[name]?.(args) : undefined
    if (reason !== undefined) return { name, reason }
  } catch {
    // It is no error of the contract, nor one of Solidity itself.
  }
  return { name: '', reason: 'no reason given' }
}
