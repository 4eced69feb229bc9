import type { UnsignedTransaction } from '@rookery/api'
import { formatEther } from 'viem'
import type { MarketChain } from './market-chain.js'
import { mismatch, WalletError } from './wallet-error.js'

/** How much gas may cost. */
export interface GasBound {
  /**
   * The most that the gas of one transaction may cost. Default 0.02 BNB: a launch, the dearest call, costs that at a price of
   * 80 gwei. The node names the price, so without a bound one that lies could spend all that the wallet has.
   */
  readonly maxGasWei?: bigint
}

const DEFAULT_MAX_GAS_WEI = 2n * 10n ** 16n
// Twice what the service asks for a launch, the call that needs most.
const MOST_GAS = 500_000n

/** Throws when a transaction asks for more gas than any call of the contract uses. */
export function requireSensibleGas({ gasLimit }: UnsignedTransaction): void {
  if (BigInt(gasLimit) > MOST_GAS) throw mismatch('the gas limit of the transaction', `at most ${MOST_GAS}`, gasLimit)
}

/** Throws when the gas may cost more than the caller accepts. */
export function requireGasWithin(
  gasWei: bigint,
  { maxGasWei: boundWei = DEFAULT_MAX_GAS_WEI }: GasBound,
  { symbol }: MarketChain,
): void {
  if (gasWei <= boundWei) return
  const money = (wei: bigint) => `${formatEther(wei)} ${symbol}`
  const message = `Gas may cost ${money(gasWei)} at the price that the node names, which is more than maxGasWei, ${money(boundWei)}. Nothing was signed. Try again later, ask another node (rpcUrl), or allow more.`
  throw new WalletError('GAS_OUT_OF_BOUNDS', message, { gasWei, boundWei })
}
