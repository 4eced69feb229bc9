import { type Address, type Hex, isAddress } from 'viem'
import { EMBEDDED_CHAIN_ID } from './chain-id.js'
import { createFaucet } from './faucet.js'
import { createBank } from './genesis.js'
import { RpcError, type RpcHandler } from './json-rpc.js'

/** Where a chain that several services share is reached, and the bank that fills wallets for all of them. */
export interface SharedAccess {
  /** The address to listen on. */
  readonly host: string
  /** Names by which it may be called, besides this machine's own and addresses. */
  readonly names: readonly string[]
  readonly bankKey: Hex
}

/** What a service has to know of a chain that it shares. */
export interface SharedChainFacts {
  readonly chainId: number
  readonly contract: Address
  readonly priceFeed: Address
  /** The account that permits launches. */
  readonly operator: Address
}

export const FACTS_METHOD = 'rookery_chain'
export const FAUCET_METHOD = 'rookery_faucet'

/** Adds what services ask of a chain that they share. */
export function addSharedMethods(handle: RpcHandler, operator: Hex, { bankKey }: SharedAccess): RpcHandler {
  const bank = createBank(bankKey)
  const faucet = createFaucet(bank, handle)
  const facts: SharedChainFacts = { chainId: EMBEDDED_CHAIN_ID, ...bank.contracts, operator }
  return async (method, params) => {
    if (method === FACTS_METHOD) return facts
    if (method !== FAUCET_METHOD) return handle(method, params)
    const [address] = params
    if (typeof address !== 'string' || !isAddress(address, { strict: false }))
      throw new RpcError(-32602, `${FAUCET_METHOD} takes an address.`)
    return faucet(address)
  }
}
