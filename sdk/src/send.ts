import type { UnsignedTransaction } from '@rookery/api'
import type { Hash, LocalAccount } from 'viem'
import type { Client } from './client.js'

/** A transaction that has been included in a block. */
export interface SentTransaction {
  readonly hash: Hash
  readonly blockNumber: bigint
  /** Whether lists, profiles and balances of the service include it. Only known with `wait`. */
  readonly indexed: boolean
}

/** How to send a transaction. */
export interface SendOptions {
  /** How many seconds to wait, at most 10, until the service has indexed the transaction. */
  readonly wait?: number
}

/**
 * Signs a transaction prepared by the service, sends it to the service's chain and waits for its receipt, and with `wait`
 * until the service has indexed it. It throws when the transaction reverts, or is not for the chain and contract that the
 * service names.
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
  { wait = 0 }: SendOptions = {},
): Promise<SentTransaction> {
  const { chain } = await client.getConfig()
  if (!chain) throw new Error('This service has no chain, so there is nothing to trade on.')
  const { to, data, value, gasLimit, chainId } = transaction
  if (chainId !== chain.id || to.toLowerCase() !== chain.contract.toLowerCase())
    throw new Error('This transaction is not for the share contract of this service. It was not sent.')
  // Imported here because viem is slow to load and most programs never send a transaction.
  const { createWalletClient, http, publicActions } = await import('viem')
  const { id, name, nativeCurrency, rpcUrl } = chain
  const chainConfig = { id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const wallet = createWalletClient({ account, chain: chainConfig, transport: http() }).extend(publicActions)
  const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
  const { status, blockNumber } = await wallet.waitForTransactionReceipt({ hash, pollingInterval: 500 })
  if (status !== 'success')
    throw new Error(`The transaction ${hash} was reverted: it changed nothing but still cost gas.`)
  return { hash, blockNumber, indexed: wait > 0 && (await isIndexed(client, hash, wait)) }
}

// The transaction has been made, so nothing that happens now is a reason to throw.
async function isIndexed(client: Client, transactionHash: Hash, wait: number): Promise<boolean> {
  const { indexed } = await client.getTrade({ transactionHash, wait }).catch(() => ({ indexed: false }))
  return indexed
}
