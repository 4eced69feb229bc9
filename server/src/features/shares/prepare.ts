import type { ErrorCode, TransactionWarning, UnsignedTransaction } from '@rookery/api'
import { GAS_LIMITS } from '@rookery/contracts'
import type { Address, Hex } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Block } from '../../foundation/chain/newest-block.js'
import { fundsWarnings } from './funds.js'
import { readRevert } from './reverts.js'
import { callChain } from './supply.js'

type PrepareDeps = Pick<Deps, 'chain' | 'clock' | 'log' | 'config' | 'embeddedChain'>

export type Purpose = keyof typeof GAS_LIMITS

/** A transaction that has not been simulated yet. */
export interface Draft {
  readonly purpose: Purpose
  readonly from: Address
  readonly data: Hex
  readonly value: bigint
}

/** A transaction that the chain would accept, with warnings for the signer. */
export interface Prepared {
  readonly transaction: UnsignedTransaction
  readonly transactionValueWei: string
  readonly warnings: TransactionWarning[]
}

const hex = (value: bigint): Hex => `0x${value.toString(16)}`

/** The deadline of a transaction, in whole seconds. Uses the chain's clock when it is ahead of ours. */
export function deadlineIn({ clock }: PrepareDeps, block: Block | undefined, ms: number): Date {
  const now = Math.max(clock.now().getTime(), block?.at.getTime() ?? 0)
  return new Date(Math.ceil((now + ms) / 1000) * 1000)
}

/** Simulates a transaction after a block, and refuses it when the chain would. */
export function prepareTransaction(
  deps: PrepareDeps,
  block: Block | undefined,
  { purpose, from, data, value }: Draft,
): Promise<Prepared> {
  return callChain(deps, async (chain) => {
    const gasLimit = GAS_LIMITS[purpose]
    const state = chain.at(block ?? (await chain.findNewestBlock()))
    const [simulation, balanceWei, gasPrice] = await Promise.all([
      state.simulate({ from, to: chain.contract, data, value }),
      state.kept(`balance ${from}`, () => state.balanceOf(from)),
      state.kept('gas price', () => chain.gasPrice()),
    ])
    if (!simulation.ok) throw refusalOf(purpose, simulation.revert)
    return {
      transaction: { to: chain.contract, data, value: hex(value), gasLimit: gasLimit.toString(), chainId: chain.id },
      transactionValueWei: value.toString(),
      warnings: fundsWarnings(deps, from, { balanceWei, neededWei: value + gasLimit * gasPrice }),
    }
  })
}

type Meanings = Readonly<Record<string, ErrorCode | undefined>>

const balanceErrors: Meanings = {
  OwnerKeepsLastShare: 'OWNER_CANNOT_SELL_LAST_SHARE',
  SupplyTooSmall: 'INSUFFICIENT_SUPPLY',
  NotLaunched: 'AGENT_NOT_LAUNCHED',
  BalanceTooSmall: 'INSUFFICIENT_BALANCE',
}

const meanings: Readonly<Record<Purpose, Meanings>> = {
  launch: {},
  buy: { NotLaunched: 'ONLY_SUBJECT_CAN_BUY_FIRST_SHARE' },
  sell: balanceErrors,
  transfer: {
    ...balanceErrors,
    BalanceTooSmall: 'INSUFFICIENT_SHARES_FOR_TRANSFER',
    InvalidReceiver: 'INVALID_TO_ADDRESS',
  },
  claimFees: { NothingToClaim: 'NOTHING_TO_CLAIM', NotLaunched: 'AGENT_NOT_LAUNCHED' },
}

function refusalOf(purpose: Purpose, revert: Hex): Problem {
  const { name, reason } = readRevert(revert)
  const code = meanings[purpose][name]
  if (code) return new Problem(code)
  return new Problem('TRANSACTION_WOULD_REVERT', {
    message: `The chain would refuse this transaction: ${reason}. Change the input and ask again.`,
    details: [{ path: 'transaction', message: name === '' ? reason : name }],
  })
}
