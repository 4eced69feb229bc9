/**
 * The bonding curve of AgentShares in exact arithmetic: for the same supply and amount, these functions and the contract
 * return the same wei. Shares are whole numbers, so amounts and supplies are bigint too.
 */

/** The price of one unit: 1 ether / 16000, exactly. Share i, counted from 0, is worth i² units. */
export const UNIT_WEI = 62_500_000_000_000n

/** The most shares one agent can have; the contract refuses more. They would cost 10^17 BNB. */
export const MAX_SUPPLY = 2n ** 24n - 1n

/** Each of the two fees as a fraction of the price, in 10^-18: 5 %. */
export const FEE_PERCENT = 50_000_000_000_000_000n

/** The price and fees of a trade. */
export interface Quote {
  /** Price on the curve, before fees. */
  priceWei: bigint
  /** The protocol's 5 %. */
  protocolFeeWei: bigint
  /** The 5 % of the agent's owner. */
  subjectFeeWei: bigint
  /** What the buyer pays, or the seller receives. */
  priceAfterFeeWei: bigint
}

/**
 * The price of `amount` shares from `supply` on, before fees: the sum of i² units for i = supply to supply + amount - 1.
 * @throws RangeError where the contract reverts with SupplyTooLarge, and on negative numbers
 *
 * @example
 * ```ts
 * import { priceOf } from '@rookery/sdk'
 *
 * console.log(priceOf(1n, 2n)) // 312500000000000n: the second share costs one unit, the third four
 * ```
 */
export function priceOf(supply: bigint, amount: bigint): bigint {
  if (supply < 0n || amount < 0n || supply + amount > MAX_SUPPLY) {
    throw new RangeError(`supply ${supply} and amount ${amount} are not within 0 and ${MAX_SUPPLY} together`)
  }
  return (squaresBelow(supply + amount) - squaresBelow(supply)) * UNIT_WEI
}

/**
 * One of the two equal fees on a price. Prices are multiples of 20 wei, so nothing is rounded.
 *
 * @example
 * ```ts
 * import { feeOf, priceOf } from '@rookery/sdk'
 *
 * console.log(feeOf(priceOf(1n, 2n))) // 15625000000000n
 * ```
 */
export function feeOf(priceWei: bigint): bigint {
  return priceWei / 20n
}

/**
 * What buying the next `amount` shares costs when `supply` are in circulation.
 *
 * @example
 * ```ts
 * import { quoteBuy } from '@rookery/sdk'
 *
 * console.log(quoteBuy(10n, 3n).priceAfterFeeWei) // what three shares cost with fees, in wei
 * ```
 */
export function quoteBuy(supply: bigint, amount: bigint): Quote {
  const priceWei = priceOf(supply, amount)
  const fee = feeOf(priceWei)
  return { priceWei, protocolFeeWei: fee, subjectFeeWei: fee, priceAfterFeeWei: priceWei + 2n * fee }
}

/**
 * What selling the last `amount` shares pays when `supply` are in circulation.
 * @throws RangeError where the contract reverts with SupplyTooSmall or SupplyTooLarge
 *
 * @example
 * ```ts
 * import { quoteSell } from '@rookery/sdk'
 *
 * console.log(quoteSell(13n, 3n).priceAfterFeeWei) // what selling them again pays
 * ```
 */
export function quoteSell(supply: bigint, amount: bigint): Quote {
  if (amount > supply) throw new RangeError(`amount ${amount} is more than the supply ${supply}`)
  const priceWei = priceOf(supply - amount, amount)
  const fee = feeOf(priceWei)
  return { priceWei, protocolFeeWei: fee, subjectFeeWei: fee, priceAfterFeeWei: priceWei - 2n * fee }
}

/** The sum of i² for i = 0 .. n - 1. */
function squaresBelow(n: bigint): bigint {
  return (n * (n - 1n) * (2n * n - 1n)) / 6n
}
