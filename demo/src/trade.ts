import { type Client, sendTransaction } from '@rookery/sdk'
import type { PrivateKeyAccount } from 'viem/accounts'

export interface Trade {
  readonly side: 'buy' | 'sell'
  readonly agentId: string
  readonly amount: number
}

const WAIT_SECONDS = 10

/** Requests a quote, signs its transaction, sends it to the chain and waits until everybody sees it. */
export async function sendTrade(client: Client, wallet: PrivateKeyAccount, trade: Trade): Promise<void> {
  const { transaction } = await client.getShareQuote({ ...trade, walletAddress: wallet.address })
  if (!transaction) throw new Error('the service has no chain to trade on')
  await sendTransaction(client, wallet, transaction, { wait: WAIT_SECONDS })
}
