import {
  ContractDecoder,
  EdrContext,
  L1_CHAIN_TYPE,
  l1GenesisState,
  l1HardforkFromString,
  l1ProviderFactory,
  MineOrdering,
  OSAKA,
} from '@nomicfoundation/edr'
import type { Hex } from 'viem'
import { EMBEDDED_CHAIN_ID } from './chain-id.js'
import { RpcError, type RpcHandler } from './json-rpc.js'

/** An account in the genesis of a chain. */
export interface GenesisAccount {
  readonly address: Hex
  readonly balance: Hex
  readonly code?: Hex
}

/** Where an EVM begins: with a new chain, or after a block of another one, from which it reads everything before. */
export type Beginning =
  | { readonly accounts: readonly GenesisAccount[] }
  | { readonly afterBlock: number; readonly url: string; readonly cacheDir: string }

const CHAIN_ID = BigInt(EMBEDDED_CHAIN_ID)
// The hardfork of BNB Smart Chain, and a gas limit of the same order.
const HARDFORK = OSAKA
const BLOCK_GAS_LIMIT = 60_000_000n
const CALL_GAS_LIMIT = 16_000_000n
const GENESIS_TIME = 1_767_225_600n
const COINBASE = '0x00000000000000000000000000000000000c01ba'

/** The contracts that every chain of this hardfork has from the start. */
export function systemAccounts(): GenesisAccount[] {
  return l1GenesisState(l1HardforkFromString(HARDFORK)).map(({ address, balance, code }) => ({
    address: hex(address),
    balance: `0x${(balance ?? 0n).toString(16)}`,
    code: hex(code ?? new Uint8Array()),
  }))
}

let context: Promise<EdrContext> | undefined

// The native runtime allows one context in a process.
async function openContext(): Promise<EdrContext> {
  const opened = new EdrContext()
  await opened.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())
  return opened
}

/**
 * Opens an EVM that mines a block for each transaction. Gas costs what a transaction offers; the base fee is zero, as on
 * BNB Smart Chain. The same genesis and the same transactions at the same times give the same block hashes, as long as
 * nobody asks for the pending block.
 */
export async function openEvm(beginning: Beginning): Promise<RpcHandler> {
  context ??= openContext()
  const isOwn = 'accounts' in beginning
  const provider = await (await context).createProvider(
    L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: CHAIN_ID,
      networkId: CHAIN_ID,
      coinbase: bytes(COINBASE),
      defaultTransactionGasLimit: CALL_GAS_LIMIT,
      genesisState: isOwn ? beginning.accounts.map(genesisAccount) : [],
      hardfork: HARDFORK,
      initialBaseFeePerGas: 0n,
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: BLOCK_GAS_LIMIT, memPool: { order: MineOrdering.Fifo } },
      network: isOwn ? ownNetwork : continuedNetwork(beginning),
      observability: {},
      ownedAccounts: [],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  )
  return async (method, params) => {
    const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const { result, error } = (typeof data === 'string' ? JSON.parse(data) : data) as Answer
    if (error) throw rpcError(error)
    return result
  }
}

const ownNetwork = {
  genesisBlockGasLimit: BLOCK_GAS_LIMIT,
  genesisBlockTime: GENESIS_TIME,
  genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
}

function continuedNetwork({ afterBlock, url, cacheDir }: Exclude<Beginning, { accounts: unknown }>) {
  const always = [{ condition: { blockNumber: 0n }, hardfork: HARDFORK }]
  return {
    url,
    blockNumber: BigInt(afterBlock),
    cacheDir,
    chainOverrides: [{ chainId: CHAIN_ID, name: 'rookery', hardforkActivationOverrides: always }],
  }
}

function genesisAccount({ address, balance, code }: GenesisAccount) {
  return { address: bytes(address), balance: BigInt(balance), ...(code ? { code: bytes(code) } : {}) }
}

interface Answer {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string; readonly data?: { readonly data?: Hex } }
}

// A revert looks as it does on a public node: code 3, and the revert data as one hex string.
function rpcError({ code, message, data }: NonNullable<Answer['error']>): RpcError {
  return data?.data ? new RpcError(3, message, data.data) : new RpcError(code, message)
}

function bytes(hex: string): Uint8Array {
  return Buffer.from(hex.slice(2), 'hex')
}

function hex(bytes: Uint8Array): Hex {
  return `0x${Buffer.from(bytes).toString('hex')}`
}
