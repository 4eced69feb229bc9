import { type Quote, quoteBuy, quoteSell } from '@rookery/sdk'

/** What one share costs, what selling it at once gives, and how much of the money that is, in whole percent. */
export function roundTrip(supply: bigint): { buy: Quote; sell: Quote; returnedPercent: bigint } {
  const buy = quoteBuy(supply, 1n)
  const sell = quoteSell(supply + 1n, 1n)
  const paid = buy.priceAfterFeeWei
  // Rounded to the nearest percent. The very first share is free.
  const returnedPercent = paid === 0n ? 100n : (sell.priceAfterFeeWei * 200n + paid) / (paid * 2n)
  return { buy, sell, returnedPercent }
}
