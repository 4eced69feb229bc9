import {
  type Address,
  decodeErrorResult,
  type GetContractReturnType,
  getContract,
  type Hash,
  type Hex,
  numberToHex,
  type TransactionReceipt,
} from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import {
  agentSharesAbi,
  encodeDeployShares,
  encodeLaunch,
  quoteBuy,
  signLaunchPermit,
  subjectAddress,
} from '../ts/index.js'
import { at, deploy, openTestChain, type TestChain, type TestClient } from './chain.js'

/** A time that no test reaches, in seconds. */
export const FAR_FUTURE = 10_000_000_000n

/** Options of a transaction besides its data. */
export interface SendOptions {
  value?: bigint
  gas?: bigint
  /** Defaults to the market's contract. */
  to?: Address
}

/** AgentShares on its own chain, and its users. Gas is free, so balances change only by payments. */
export interface Market {
  chain: TestChain
  client: TestClient
  /** The contract, to be read. */
  shares: GetContractReturnType<typeof agentSharesAbi, TestClient>
  operator: PrivateKeyAccount
  protocol: Address
  alice: Address
  bob: Address
  carol: Address
  /** Sends a transaction; on a revert, throws an error named like the contract's: `PaymentTooSmall(2, 1)`. */
  send(from: Address, data: Hex, options?: SendOptions): Promise<TransactionReceipt>
  /** Launches an agent and returns its subject. */
  launch(owner: Address, name: string, amount?: bigint): Promise<Address>
  /** The operator's permit for a launch. */
  permit(owner: Address, name: string, deadline?: bigint): Promise<Hex>
  balanceOf(address: Address): Promise<bigint>
  /** The time of the last block, in seconds. */
  now(): Promise<bigint>
}

/** Opens a market without agents. */
export async function openMarket(): Promise<Market> {
  const chain = await openTestChain()
  const client = chain.client()
  const [operator, protocol, alice, bob, carol] = [1, 2, 3, 4, 5].map((index) => at(chain.accounts, index))
  if (!operator || !protocol || !alice || !bob || !carol) throw new Error('the chain has too few accounts')
  const address = await deploy(
    client,
    encodeDeployShares({ operator: operator.address, protocolFeeDestination: protocol.address }),
  )

  const send: Market['send'] = async (from, data, { value = 0n, gas = 5_000_000n, to = address } = {}) => {
    const transaction = { from, to, data, value: numberToHex(value), gas: numberToHex(gas), gasPrice: '0x0' as const }
    await chain.provider.request({ method: 'eth_call', params: [transaction, 'pending'] }).catch(rethrowNamed)
    const hash: Hash = await chain.provider.request({ method: 'eth_sendTransaction', params: [transaction] })
    const receipt = await client.getTransactionReceipt({ hash })
    if (receipt.status !== 'success') throw new Error(`transaction ${hash} reverted`)
    return receipt
  }
  const permit: Market['permit'] = (owner, name, deadline = FAR_FUTURE) =>
    signLaunchPermit(operator, { chainId: chain.chain.id, contract: address, owner, name, deadline })

  return {
    chain,
    client,
    shares: getContract({ address, abi: agentSharesAbi, client }),
    operator,
    protocol: protocol.address,
    alice: alice.address,
    bob: bob.address,
    carol: carol.address,
    send,
    async launch(owner, name, amount = 1n) {
      const subject = subjectAddress(owner, name)
      const data = encodeLaunch({ subject, name, permit: await permit(owner, name), amount })
      await send(owner, data, { value: quoteBuy(0n, amount).priceAfterFeeWei })
      return subject
    },
    permit,
    balanceOf: (account) => client.getBalance({ address: account }),
    now: async () => (await client.getBlock()).timestamp,
  }
}

function rethrowNamed(error: Error & { data?: Hex }): never {
  if (!error.data || error.data === '0x') throw error
  const { errorName, args = [] } = decodeErrorResult({ abi: agentSharesAbi, data: error.data })
  throw new Error(`${errorName}(${args.join(', ')})`)
}
