import type { ShareQuote } from '@rookery/api'
import { quoteBuy, quoteSell } from '@rookery/contracts/curve'
import type { Address } from 'viem'
import { expectSame, mismatch } from './wallet-error.js'

const BPS = 10_000n

/** What was asked for, and what the chain says. */
export interface AskedQuote {
  readonly side: 'buy' | 'sell'
  readonly amount: number
  readonly slippageBps: number
  readonly subject: Address
  /** Shares in circulation, read from the chain. */
  readonly supply: bigint
}

/** Throws unless a quote is for what was asked, and follows from the curve. */
export function checkQuote(quote: ShareQuote, { side, amount, slippageBps, subject, supply }: AskedQuote): void {
  expectSame('the side of the quote', side, quote.side)
  expectSame('the amount of the quote', amount, quote.amount)
  expectSame('the subject of the quote', subject, quote.sharesSubject)
  expectSame('the supply of the quote', supply, quote.supply)
  const price = (side === 'buy' ? quoteBuy : quoteSell)(supply, BigInt(amount))
  expectSame('the price', price.priceWei, quote.priceWei)
  expectSame('the protocol’s fee', price.protocolFeeWei, quote.protocolFeeWei)
  expectSame('the agent’s fee', price.subjectFeeWei, quote.subjectFeeWei)
  expectSame('the price with fees', price.priceAfterFeeWei, quote.priceAfterFeeWei)
  const limit = BigInt(quote.limitPriceWei)
  if (side === 'buy') {
    const most = (price.priceAfterFeeWei * (BPS + BigInt(slippageBps))) / BPS
    if (limit > most) throw mismatch('the limit of the price', `at most ${most}`, String(limit))
  } else {
    const least = (price.priceAfterFeeWei * (BPS - BigInt(slippageBps))) / BPS
    if (limit < least) throw mismatch('the limit of the price', `at least ${least}`, String(limit))
  }
}
