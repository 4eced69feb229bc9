import { FAUCET_WEI } from '@rookery/embedded-chain'
import { formatEther } from 'viem'
import { getWalletAddress } from '../../base/address.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'

/** Sends test BNB from the embedded chain's bank. */
export async function requestFaucet(
  { embeddedChain, log }: Pick<Deps, 'embeddedChain' | 'log'>,
  { address }: { address: string },
): Promise<{ transactionHash: string; amountBNB: string }> {
  const transactionHash = await embeddedChain?.faucet(getWalletAddress(address)).catch((error: Error) => {
    log.warn({ message: error.message }, 'the faucet failed')
  })
  if (!transactionHash) throw new Problem('CHAIN_UNAVAILABLE')
  return { transactionHash, amountBNB: formatEther(FAUCET_WEI) }
}
