import { type Client, isWalletError, sendTransaction, type UnsignedTransaction } from '@rookery/sdk'
import type { Address } from 'viem'
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
  await send(client, wallet, transaction)
}

/** Gives shares to another wallet. */
export async function sendShares(
  client: Client,
  wallet: PrivateKeyAccount,
  gift: { readonly agentId: string; readonly to: Address; readonly amount: number },
): Promise<void> {
  const { transaction } = await client.getShareTransfer({ ...gift, walletAddress: wallet.address })
  await send(client, wallet, transaction)
}

/** Collects what trades of an agent's shares earned it. */
export async function collectFees(client: Client, wallet: PrivateKeyAccount): Promise<void> {
  const { transaction } = await client.prepareFeeClaim({ walletAddress: wallet.address })
  await send(client, wallet, transaction)
}

async function send(
  client: Client,
  wallet: PrivateKeyAccount,
  transaction: UnsignedTransaction | undefined,
): Promise<void> {
  if (!transaction) throw new Error('the service has no chain to trade on')
  const once = () => sendTransaction(client, wallet, transaction, { wait: WAIT_SECONDS })
  await once().catch(async (error: unknown) => {
    if (!isWalletError(error, 'INSUFFICIENT_FUNDS')) throw error
    await client.requestFaucet({ address: wallet.address })
    await once()
  })
}
