import { encodeDeployPriceFeed, encodeDeployShares } from '@rookery/contracts'
import { at, deploy, openTestChain, type TestChain, type TestClient } from '@rookery/contracts/test/chain'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { type Chain, createChain } from '../src/chain/chain.js'
import { type Rpc, RpcError, type RpcOutcome } from '../src/chain/rpc.js'

/** An EVM inside the test's process, with the share contract and a price feed on it. */
export interface ShareChain {
  /** In the place of the service's chain. */
  readonly chain: Chain
  readonly evm: TestChain
  readonly client: TestClient
  readonly contract: Address
  readonly priceFeed: Address
  /** Permits launches, for OPERATOR_PRIVATE_KEY. */
  readonly operatorKey: Hex
  readonly operator: PrivateKeyAccount
  /** Every request fails while this is true. */
  isDown: boolean
}

/** Dollars for a BNB, with 8 decimals. */
export const FIRST_PRICE = 612_34000000n

export async function openShareChain(): Promise<ShareChain> {
  const evm = await openTestChain()
  const client = evm.client()
  const operator = at(evm.accounts, 1)
  const roles = { operator: operator.address, protocolFeeDestination: at(evm.accounts, 2).address }
  const contract = await deploy(client, encodeDeployShares(roles))
  const priceFeed = await deploy(client, encodeDeployPriceFeed({ answer: FIRST_PRICE }))
  const rpc = rpcOver(evm, () => it.isDown)
  const it: ShareChain = {
    chain: createChain({ id: evm.chain.id, contract: contract.toLowerCase() as Address, rpc }),
    evm,
    client,
    contract,
    priceFeed,
    operatorKey: at(evm.keys, 1),
    operator,
    isDown: false,
  }
  return it
}

function rpcOver({ provider }: TestChain, isDown: () => boolean): Rpc {
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
