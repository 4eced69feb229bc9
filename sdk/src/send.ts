import type { UnsignedTransaction } from '@rookery/api'
import type { Hash, LocalAccount } from 'viem'
import type { Client } from './client.js'

/** A transaction that is in a block. */
export interface SentTransaction {
  readonly hash: Hash
  readonly blockNumber: bigint
}

/**
 * Signs a transaction that the service prepared, sends it to the service's chain and waits until it is in a block. It
 * fails when the transaction is for another chain or contract than the service names, and when it is reverted.
 */
export async function sendTransaction(
  client: Client,
  account: LocalAccount,
  transaction: UnsignedTransaction,
): Promise<SentTransaction> {
  const { chain } = await client.getConfig()
  if (!chain) throw new Error('This service has no chain, so there is nothing to trade on.')
  const { to, data, value, gasLimit, chainId } = transaction
  if (chainId !== chain.id || to.toLowerCase() !== chain.contract.toLowerCase())
    throw new Error('This transaction is not for the share contract of this service. It was not sent.')
  // Loading it takes a moment, and most programs never send anything.
  const { createWalletClient, http, publicActions } = await import('viem')
  const { id, name, nativeCurrency, rpcUrl } = chain
  const known = { id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const wallet = createWalletClient({ account, chain: known, transport: http() }).extend(publicActions)
  const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
  const { status, blockNumber } = await wallet.waitForTransactionReceipt({ hash, pollingInterval: 500 })
  if (status !== 'success') throw new Error(`The transaction ${hash} was reverted: nothing changed but the gas.`)
  return { hash, blockNumber }
}
