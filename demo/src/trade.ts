import type { Client } from '@rookery/sdk'
import { createWalletClient, http, publicActions } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

const POLL_MS = 50

export interface Trade {
  readonly side: 'buy' | 'sell'
  readonly agentId: string
  readonly amount: number
}

/** Requests a quote, signs its transaction and sends it to the chain. */
export async function sendTrade(client: Client, wallet: PrivateKeyAccount, trade: Trade): Promise<void> {
  const { chain } = await client.getConfig()
  const { transaction } = await client.getShareQuote({ ...trade, walletAddress: wallet.address })
  if (!chain || !transaction) throw new Error('the service has no chain to trade on')
  const { id, name, nativeCurrency, rpcUrl } = chain
  const known = { id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } }
  const signer = createWalletClient({ account: wallet, chain: known, transport: http() }).extend(publicActions)
  const { to, data, value, gasLimit } = transaction
  const hash = await signer.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
  const { status } = await signer.waitForTransactionReceipt({ hash, pollingInterval: POLL_MS })
  if (status !== 'success') throw new Error(`the chain refused transaction ${hash}`)
}
