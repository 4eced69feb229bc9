import { encodeDeployPriceFeed, encodeDeployShares } from '@rookery/contracts'
import { at, deploy, openTestChain, type TestChain, type TestClient } from '@rookery/contracts/test/chain'
import type { UnsignedTransaction } from '@rookery/sdk'
import { type Address, type Hex, parseEther } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Chain, createChain } from '../src/foundation/chain/chain.js'
import type { Follower } from '../src/foundation/chain/follow-chain.js'
import { type Rpc, RpcError, type RpcOutcome } from '../src/foundation/chain/rpc.js'
import { createShareFollower } from '../src/start/share-follower.js'
import { startServer, type TestServer } from './start-server.js'

/** An EVM inside the test's process, with the share contract and a price feed on it. */
export interface ShareChain {
  /** Replaces the service's chain. */
  readonly chain: Chain
  readonly evm: TestChain
  readonly client: TestClient
  readonly contract: Address
  readonly priceFeed: Address
  /** The key that permits launches, for OPERATOR_PRIVATE_KEY. */
  readonly operatorKey: Hex
  readonly operator: PrivateKeyAccount
  /** Every request fails while this is true. */
  isDown: boolean
  /** Sets the BNB balance of a wallet. */
  fund(wallet: Address, bnb?: string): Promise<void>
  /** Signs a transaction with a wallet's key and sends it. */
  send(account: PrivateKeyAccount, transaction: UnsignedTransaction | undefined): Promise<Hex>
}

/** Dollars for a BNB, with 8 decimals. */
const FIRST_PRICE = 612_34000000n

export async function openShareChain(): Promise<ShareChain> {
  const evm = await openTestChain()
  const client = evm.client()
  const operator = at(evm.accounts, 1)
  const roles = { operator: operator.address, protocolFeeDestination: at(evm.accounts, 2).address }
  const contract = await deploy(client, encodeDeployShares(roles))
  const priceFeed = await deploy(client, encodeDeployPriceFeed({ answer: FIRST_PRICE }))
  const rpc = createRpc(evm, () => shareChain.isDown)
  const shareChain: ShareChain = {
    chain: createChain({ id: evm.chain.id, contract: contract.toLowerCase() as Address, rpc }),
    evm,
    client,
    contract,
    priceFeed,
    operatorKey: at(evm.keys, 1),
    operator,
    isDown: false,
    fund: (address, bnb = '100') => client.setBalance({ address, value: parseEther(bnb) }),
    async send(account, transaction) {
      if (!transaction) throw new Error('there is no transaction to send')
      const { to, data, value, gasLimit } = transaction
      const signer = evm.client(account)
      const hash = await signer.sendTransaction({ to, data, value: BigInt(value), gas: BigInt(gasLimit), gasPrice: 0n })
      const { status } = await signer.getTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`the transaction ${hash} reverted`)
      return hash
    },
  }
  return shareChain
}

/** Starts the service on such a chain. The test decides when the chain is followed. */
export async function startShareServer(): Promise<{ shareChain: ShareChain; server: TestServer; follower: Follower }> {
  const shareChain = await openShareChain()
  const env = { OPERATOR_PRIVATE_KEY: shareChain.operatorKey, PRICE_FEED: shareChain.priceFeed }
  const server = await startServer({ env, replace: { chain: shareChain.chain } })
  const follower = createShareFollower(server.deps, { chain: shareChain.chain })
  const stop = async () => {
    await follower.stop()
    await server.stop()
  }
  return { shareChain, server: { ...server, stop }, follower }
}

function createRpc({ provider }: TestChain, isDown: () => boolean): Rpc {
  async function outcome(method: string, params: readonly unknown[]): Promise<RpcOutcome> {
    if (isDown()) throw new RpcError('the chain does not answer', undefined)
    try {
      return { result: await provider.request({ method, params } as never) }
    } catch (error) {
      const { message, code, data } = error as Error & { code: number; data?: unknown }
      return { error: new RpcError(message, code, data) }
    }
  }
  return {
    async request(method, params) {
      const end = await outcome(method, params)
      if ('error' in end) throw end.error
      return end.result
    },
    batch: (calls) => Promise.all(calls.map(({ method, params }) => outcome(method, params))),
  }
}
