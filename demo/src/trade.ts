import { type Client, isRookeryError, type UnsignedTransaction } from '@rookery/sdk'
import { type Address, createClient, type EIP1193RequestFn, http, type PublicRpcSchema } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'

export interface Trade {
  readonly side: 'buy' | 'sell'
  readonly agentId: string
  readonly amount: number
}

/** Somebody who signs, and how many seconds to wait until everybody sees what was done. */
export interface Signer {
  readonly client: Client
  readonly wallet: PrivateKeyAccount
  readonly chain: { readonly request: EIP1193RequestFn<PublicRpcSchema> }
  readonly wait: number
}

const TIMEOUT_MS = 60_000

/** Opens the chain that the service names. */
export async function openChain(anyone: Client): Promise<Signer['chain']> {
  const { chain } = await anyone.getConfig()
  if (!chain) throw new Error('the service has no chain to trade on')
  // A transaction that is sent again would be refused, although the first one was made.
  return createClient({ transport: http(chain.rpcUrl, { retryCount: 0, timeout: TIMEOUT_MS }) })
}

/** Requests a quote, signs its transaction and sends it to the chain. */
export function sendTrade(signer: Signer, trade: Trade): Promise<void> {
  return signAndSend(signer, (walletAddress) => signer.client.getShareQuote({ ...trade, walletAddress }))
}

/** Gives shares to another wallet. */
export function sendShares(
  signer: Signer,
  gift: { readonly agentId: string; readonly to: Address; readonly amount: number },
): Promise<void> {
  return signAndSend(signer, (walletAddress) => signer.client.getShareTransfer({ ...gift, walletAddress }))
}

/** Collects what trades of an agent's shares earned it. */
export function collectFees(signer: Signer): Promise<void> {
  return signAndSend(signer, (walletAddress) => signer.client.prepareFeeClaim({ walletAddress }))
}

type Prepare = (walletAddress: Address) => Promise<{ readonly transaction?: UnsignedTransaction }>

async function signAndSend(signer: Signer, prepare: Prepare): Promise<void> {
  const { client, wallet } = signer
  await attempt(signer, prepare).catch(async (error: unknown) => {
    if (!isRookeryError(error, 'INSUFFICIENT_FUNDS')) throw error
    await client.requestFaucet({ address: wallet.address })
    await attempt(signer, prepare)
  })
}

// One that is reverted, because somebody else has traded meanwhile, changes nothing.
async function attempt({ client, wallet, chain, wait }: Signer, prepare: Prepare): Promise<void> {
  const [{ transaction }, nonce] = await Promise.all([
    prepare(wallet.address),
    chain.request({ method: 'eth_getTransactionCount', params: [wallet.address, 'latest'] }),
  ])
  if (!transaction) throw new Error('the service has no chain to trade on')
  const { to, data, value, gasLimit, chainId } = transaction
  const signed = await wallet.signTransaction({
    type: 'legacy',
    chainId,
    nonce: Number(nonce),
    to,
    data,
    value: BigInt(value),
    gas: BigInt(gasLimit),
    // The embedded chain takes what is offered.
    gasPrice: 0n,
  })
  const transactionHash = await chain.request({ method: 'eth_sendRawTransaction', params: [signed] })
  if (wait > 0) await client.getTrade({ transactionHash, wait })
}
