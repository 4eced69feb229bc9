import type { PlatformConfig } from '@rookery/api'
import {
  type Address,
  type Chain,
  createClient,
  type HttpTransport,
  http,
  isAddressEqual,
  type LocalAccount,
  type Client as NodeClient,
} from 'viem'
import type { Client } from './client.js'
import { WalletError } from './wallet-error.js'

/** What a wallet does not take from the service. */
export interface ChainPins {
  /** The only contract that transactions may go to. Default: the one that the service names. */
  readonly contract?: Address
  /** The only chain that transactions are signed for. Default: the one that the service names. */
  readonly chainId?: number
  /** A node of the chain. Default: the one that the service names. */
  readonly rpcUrl?: string
}

/** A node of the chain, with the account that signs. */
export type Node = NodeClient<HttpTransport, Chain, LocalAccount>

/** The chain of a service, as one wallet uses it. */
export interface MarketChain {
  readonly id: number
  readonly contract: Address
  readonly symbol: string
  readonly hasFaucet: boolean
  readonly node: Node
}

const POLLING_MS = 250

/** Reads which chain the service trades on, and opens it for an account. */
export async function openChain(client: Client, account: LocalAccount, pins: ChainPins = {}): Promise<MarketChain> {
  const { chain, features } = await client.getConfig()
  if (!chain) throw new WalletError('NO_CHAIN', 'This service has no chain, so there is nothing to trade on.', {})
  const { chainId = chain.id, contract = chain.contract, rpcUrl = chain.rpcUrl } = pins
  requireContract({ chainId, contract }, { chainId: chain.id, contract: chain.contract })
  return {
    id: chain.id,
    contract: chain.contract,
    symbol: chain.nativeCurrency.symbol,
    hasFaucet: features.faucet,
    node: openNode(account, { ...chain, rpcUrl }),
  }
}

interface Place {
  readonly chainId: number
  readonly contract: Address
}

/** Throws unless the second place is the first. */
export function requireContract(expected: Place, actual: Place): void {
  if (expected.chainId === actual.chainId && isAddressEqual(expected.contract, actual.contract)) return
  const name = ({ chainId, contract }: Place) => `${contract.toLowerCase()} on chain ${chainId}`
  throw new WalletError(
    'WRONG_CONTRACT',
    `This is not the share contract of this service: ${name(actual)} instead of ${name(expected)}. Nothing was sent.`,
    { expected: name(expected), actual: name(actual) },
  )
}

function openNode(account: LocalAccount, chain: NonNullable<PlatformConfig['chain']>): Node {
  const { id, name, nativeCurrency, rpcUrl } = chain
  return createClient({
    account,
    chain: { id, name, nativeCurrency, rpcUrls: { default: { http: [rpcUrl] } } },
    transport: http(),
    pollingInterval: POLLING_MS,
  })
}
