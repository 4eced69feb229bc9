import type { UnsignedTransaction } from '@rookery/api'
import type { EmbeddedChain } from '@rookery/embedded-chain'
import { makeDataDir, startChain } from '@rookery/embedded-chain/test/market'
import { createWalletClient, http, keccak256, publicActions } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { hardhat } from 'viem/chains'
import { createShareFollower } from '../src/start/share-follower.js'
import type { SeededAgent } from './seed.js'
import { startServer, type TestServer } from './start-server.js'

/** The real service on a real chain, whose blocks are applied on command. */
export interface ShareMarket {
  readonly server: TestServer
  readonly chain: EmbeddedChain
  /** Signs a transaction with a wallet, sends it, and waits until it is in a block. */
  send(account: PrivateKeyAccount, transaction: UnsignedTransaction | undefined): Promise<`0x${string}`>
  /** Signs a transaction with a wallet, without sending it. */
  sign(
    account: PrivateKeyAccount,
    transaction: UnsignedTransaction | undefined,
  ): Promise<{ serialized: `0x${string}`; hash: `0x${string}` }>
  /** Brings the database up to date with the chain. */
  follow(): Promise<void>
  /** Gives wallets test BNB. */
  fund(...agents: Pick<SeededAgent, 'wallet'>[]): Promise<void>
  /** Trades through quotes, as a deployed client does, and applies the block. */
  buy(
    buyer: Pick<SeededAgent, 'wallet'>,
    of: { readonly subject: `0x${string}` },
    amount?: number,
  ): Promise<`0x${string}`>
  sell(
    seller: Pick<SeededAgent, 'wallet'>,
    of: { readonly subject: `0x${string}` },
    amount?: number,
  ): Promise<`0x${string}`>
  stop(): Promise<void>
}

/** The key of the operator of the chains that `startChain` starts. */
export const OPERATOR_PRIVATE_KEY = '0x00000000000000000000000000000000000000000000000000000000000000aa'

export async function startShareMarket(env: Readonly<Record<string, string>> = {}): Promise<ShareMarket> {
  const folder = await makeDataDir()
  const chain = await startChain(folder.dataDir)
  const server = await startServer({ env: { OPERATOR_PRIVATE_KEY, ...env }, replace: { embeddedChain: chain } })
  const market = createShareMarket(server, chain)
  return {
    ...market,
    async stop() {
      await market.stop()
      await server.stop()
      await chain.close()
      await folder.remove()
    },
  }
}

/** Creates a market from a running server and chain, which keep running when it is stopped. */
export function createShareMarket(server: TestServer, chain: EmbeddedChain): ShareMarket {
  if (!server.deps.chain) throw new Error('the server has no chain')
  const follower = createShareFollower(server.deps, { chain: server.deps.chain })
  const transport = http(chain.rpcUrl, { retryCount: 0 })

  const send: ShareMarket['send'] = async (account, transaction) => {
    if (!transaction) throw new Error('there is no transaction to send')
    const wallet = createWalletClient({ account, chain: hardhat, transport }).extend(publicActions)
    const { to, data, value, gasLimit } = transaction
    const hash = await wallet.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
    const { status } = await wallet.getTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`the transaction ${hash} reverted`)
    return hash
  }

  const sign: ShareMarket['sign'] = async (account, transaction) => {
    if (!transaction) throw new Error('there is no transaction to sign')
    const wallet = createWalletClient({ account, chain: hardhat, transport }).extend(publicActions)
    const { to, data, value, gasLimit } = transaction
    const request = await wallet.prepareTransactionRequest({ to, data, value: BigInt(value), gas: BigInt(gasLimit) })
    const serialized = await wallet.signTransaction(request)
    return { serialized, hash: keccak256(serialized) }
  }

  const trade =
    (side: 'buy' | 'sell'): ShareMarket['buy'] =>
    async ({ wallet }, { subject }, amount = 1) => {
      const request = { side, sharesSubject: subject, amount, walletAddress: wallet.address }
      const hash = await send(wallet, (await server.client().getShareQuote(request)).transaction)
      await follower.catchUp()
      return hash
    }

  return {
    server,
    chain,
    send,
    sign,
    follow: () => follower.catchUp(),
    async fund(...agents) {
      for (const { wallet } of agents) await chain.faucet(wallet.address)
    },
    buy: trade('buy'),
    sell: trade('sell'),
    stop: () => follower.stop(),
  }
}
