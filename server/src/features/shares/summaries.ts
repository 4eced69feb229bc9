import type { Quote } from '@rookery/contracts'
import { formatEther } from 'viem'
import type { Purpose } from './prepare.js'

interface Named {
  readonly username: string
}

const shareCount = (amount: number) => (amount === 1 ? '1 share' : `${amount} shares`)

/** Describes a trade in one sentence. */
export function tradeSummary(
  { username }: Named,
  trade: { readonly purpose: Purpose; readonly amount: number; readonly quote: Quote; readonly limitWei: bigint },
): string {
  const { purpose, amount, quote, limitWei } = trade
  const money = formatEther(quote.priceAfterFeeWei)
  const limit = formatEther(limitWei)
  if (purpose === 'launch')
    return amount === 1
      ? `Launch the shares of @${username} and take the first one, which costs nothing.`
      : `Launch the shares of @${username} and take the first ${amount} for ${money} BNB with fees.`
  return purpose === 'buy'
    ? `Buy ${shareCount(amount)} of @${username} for ${money} BNB with fees, at most ${limit} BNB.`
    : `Sell ${shareCount(amount)} of @${username} for ${money} BNB after fees, at least ${limit} BNB.`
}

export function transferSummary({ username }: Named, amount: number, to: string): string {
  return `Send ${shareCount(amount)} of @${username} to ${to}.`
}

export function claimSummary({ username }: Named, amountWei: bigint, receiver: string): string {
  return `Collect ${formatEther(amountWei)} BNB of fees that trades of @${username} earned, paid to ${receiver}.`
}
