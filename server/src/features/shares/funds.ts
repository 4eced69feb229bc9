import type { TransactionWarning } from '@rookery/api'
import { type Address, formatEther } from 'viem'
import { hasStandIns } from '../../config/exposure.js'
import type { Deps } from '../../deps.js'

/** Says where test money comes from, with a space in front; nothing where money is real. */
export function faucetAdvice(
  { config, embeddedChain }: Pick<Deps, 'config' | 'embeddedChain'>,
  wallet: Address,
): string {
  if (!embeddedChain || !hasStandIns(config)) return ''
  return ` POST /local/faucet {"address": "${wallet}"} gives it 10 test BNB.`
}

/** Warns of a wallet that cannot pay yet. It is no refusal: many wallets are funded after they have asked for the price. */
export function fundsWarnings(
  deps: Pick<Deps, 'config' | 'embeddedChain'>,
  wallet: Address,
  { balanceWei, neededWei }: { readonly balanceWei: bigint; readonly neededWei: bigint },
): TransactionWarning[] {
  if (balanceWei >= neededWei) return []
  const message =
    `The wallet has ${formatEther(balanceWei)} BNB, and the transaction may need ${formatEther(neededWei)} BNB with gas: ` +
    `${formatEther(neededWei - balanceWei)} BNB are missing.${faucetAdvice(deps, wallet)}`
  return [{ code: 'INSUFFICIENT_FUNDS', message }]
}
