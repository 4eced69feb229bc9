import type { UnsignedTransaction } from '@rookery/api'
import type { Hash, LocalAccount } from 'viem'
import type { Client } from './client.js'
import type { GasBound } from './gas-bounds.js'

/** A transaction that has been included in a block. */
export interface SentTransaction {
  readonly hash: Hash
  readonly blockNumber: bigint
  /** Whether lists, profiles and balances of the service include it. Only known with `wait`. */
  readonly indexed: boolean
}

/** How to send a transaction. */
export interface SendOptions extends GasBound {
  /** How many seconds to wait, at most 10, until the service has indexed the transaction. */
  readonly wait?: number
}

/**
 * Signs a transaction prepared by the service, sends it to the service's chain and waits for its receipt, and with `wait`
 * until the service has indexed it. It throws a `WalletError` when the transaction reverts, cannot be paid for, is not for
 * the chain and contract that the service names, or may cost more gas than `maxGasWei`. What the transaction does is not checked: `createWallet` does that.
 *
 * @example
 * ```ts
 * import { createClient, sendTransaction } from '@rookery/sdk'
 * import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
 *
 * const rookery = createClient({ baseUrl: 'http://localhost:3000' })
 * const account = privateKeyToAccount(generatePrivateKey())
 * const quote = await rookery.getShareQuote({ side: 'buy', agentId: 'ada', amount: 1, walletAddress: account.address })
 * if (quote.transaction) await sendTransaction(rookery, account, quote.transaction, { wait: 10 })
 * ```
 */
export async function sendTransaction(
  client: Client,
  account: LocalAccount,
  transaction: UnsignedTransaction,
  { wait = 0, ...bound }: SendOptions = {},
): Promise<SentTransaction> {
  // Imported here because viem is slow to load and most programs never send a transaction.
  const [{ openChain }, { signAndSend, waitUntilIndexed }] = await Promise.all([
    import('./market-chain.js'),
    import('./sign-and-send.js'),
  ])
  const mined = await signAndSend(await openChain(client, account), transaction, bound)
  const found = await waitUntilIndexed(client, mined.hash, wait)
  return { ...mined, indexed: found?.indexed ?? false }
}
