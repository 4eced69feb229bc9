import type { ShareQuote, TradeSide } from '@rookery/sdk'
import { formatAmount } from '../../../format/bnb.js'
import { countOf } from '../../../format/count.js'
import { weiToBnb } from '../../../format/wei.js'

/** Everything that decides whether a trade can succeed. */
export interface TradeWish {
  readonly verb: string
  readonly name: string
  readonly side: TradeSide | 'transfer'
  readonly hasWallet: boolean
  /** Whether the wallet registered the agent: the contract has it keep one share. */
  readonly isOwner: boolean
  /** Undefined where the text is no whole number above zero. */
  readonly shares: number | undefined
  /** Undefined while it is not known. */
  readonly held: number | undefined
  readonly balanceWei: bigint | undefined
  /** Null where the service refused to give one. */
  readonly quote: Pick<ShareQuote, 'warnings' | 'limitPriceWei' | 'transaction'> | null | undefined
}

/** Why a trade cannot succeed yet, in a sentence; undefined when nothing is in its way. */
export function whyNot({
  verb,
  name,
  side,
  hasWallet,
  isOwner,
  shares,
  held,
  balanceWei,
  quote,
}: TradeWish): string | undefined {
  if (!hasWallet) return `Connect a wallet to ${verb.toLowerCase()}.`
  if (shares === undefined) return 'Enter how many shares: a whole number, 1 or more.'
  if (side !== 'buy' && held === 0) return `You hold no shares of ${name} to ${verb.toLowerCase()}.`
  if (side !== 'buy' && held !== undefined && shares > held)
    return `You hold ${countOf(held, 'share', 'shares')} of ${name}, fewer than that.`
  if (side !== 'buy' && isOwner && shares === held) return `The owner keeps at least one share of ${name}.`
  if (side === 'transfer') return undefined
  if (quote === null) return 'The service refuses this trade; above it says why.'
  if (quote === undefined) return 'Waiting for the quote.'
  if (quote.warnings.some(({ code }) => code === SHORT_OF_MONEY)) return shortOf(quote.limitPriceWei, side, balanceWei)
  if (!quote.transaction) return 'Waiting for the quote.'
  return undefined
}

/** The code of the warning that the wallet cannot pay. */
export const SHORT_OF_MONEY = 'INSUFFICIENT_FUNDS'

function shortOf(limitWei: string, side: TradeSide, balanceWei: bigint | undefined): string {
  const has = balanceWei === undefined ? '' : ` It has ${formatAmount(weiToBnb(balanceWei))} BNB;`
  const needs =
    side === 'buy' ? ` this may take ${formatAmount(weiToBnb(BigInt(limitWei)))} BNB and gas.` : ' gas costs more.'
  return `The wallet has too little BNB.${has}${needs}`
}
