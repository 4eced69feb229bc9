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
import {
  type Address,
  type Chain,
  type Client,
  createTestClient,
  custom,
  defineChain,
  type EIP1193RequestFn,
  getAddress,
  type Hex,
  hexToBytes,
  type PublicActions,
  pad,
  publicActions,
  type TestActions,
  type Transport,
  toHex,
  type WalletActions,
  walletActions,
} from 'viem'
import { type PrivateKeyAccount, privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'

/** Initial balance of a funded account: enough for any trade in a test. */
export const TEST_BALANCE_WEI = 10n ** 27n

/** A client that reads, signs with one account, and controls the chain's clock and mining. */
export type TestClient = Client<
  Transport,
  Chain,
  PrivateKeyAccount,
  undefined,
  TestActions & PublicActions<Transport, Chain, PrivateKeyAccount> & WalletActions<Chain, PrivateKeyAccount>
>

/** An in-process EVM. It shares nothing with other chains and stores nothing. */
export interface TestChain {
  /** An EIP-1193 provider. */
  provider: { request: EIP1193RequestFn }
  /** The same, for viem. */
  transport: Transport
  /** Its id, name and currency, for viem. */
  chain: Chain
  /** Private keys of the funded accounts. */
  keys: readonly Hex[]
  /** The same accounts, for viem. */
  accounts: readonly PrivateKeyAccount[]
  /** Creates a client that signs with one of the accounts (the first by default) or with another key. */
  client(account?: number | PrivateKeyAccount): TestClient
  /** Stops the chain: later requests fail. */
  close(): void
}

/** Overrides of the defaults. */
export interface TestChainOptions {
  chainId?: number
  /** How many accounts are funded. */
  accounts?: number
  /** The time of the first block, in seconds. */
  genesisTime?: bigint
}

/**
 * Starts a chain with the EVM version of BNB Smart Chain. It mines one block per transaction, gas is free unless a
 * transaction offers a price, and `eth_sendTransaction` works for the funded accounts.
 */
export async function openTestChain(options: TestChainOptions = {}): Promise<TestChain> {
  const { chainId = 31337, accounts: count = 10, genesisTime = 1_767_225_600n } = options
  const keys = Array.from({ length: count }, (_, index) => pad(toHex(index + 1001), { size: 32 }))
  const accounts = keys.map((key) => privateKeyToAccount(key))
  const edr = await edrProvider(chainId, genesisTime, keys)

  let nextId = 0
  let open = true
  const request = async ({ method, params = [] }: { method: string; params?: unknown }) => {
    if (!open) throw new Error('the test chain is closed')
    const response = await edr.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: ++nextId, method, params }))
    const { result, error } = typeof response.data === 'string' ? JSON.parse(response.data) : response.data
    if (error) throw rpcError(error)
    return result
  }
  const provider = { request: request as EIP1193RequestFn }
  const transport = custom(provider, { retryCount: 0 })
  const chain = defineChain({
    id: chainId,
    name: 'Test chain',
    nativeCurrency: { name: 'Test BNB', symbol: 'tBNB', decimals: 18 },
    rpcUrls: { default: { http: [] } },
  })

  return {
    provider,
    transport,
    chain,
    keys,
    accounts,
    client: (account = 0) =>
      testClient(chain, transport, typeof account === 'number' ? at(accounts, account) : account),
    close() {
      open = false
    },
  }
}

/** Formats a revert as a public node does: code 3, and the revert data as one hex string. */
function rpcError({ message, code, data }: { message: string; code: number; data?: { data?: Hex } }): Error {
  return Object.assign(new Error(message), data?.data ? { code: 3, data: data.data } : { code, data })
}

function testClient(chain: Chain, transport: Transport, account: PrivateKeyAccount): TestClient {
  return createTestClient({ mode: 'hardhat', chain, transport, account, pollingInterval: 1, cacheTime: 0 })
    .extend(publicActions)
    .extend(walletActions)
}

/** Deploys a contract and returns its address. */
export async function deploy(client: TestClient, bytecode: Hex): Promise<Address> {
  const hash = await client.sendTransaction({ data: bytecode, gas: 10_000_000n })
  const { status, contractAddress } = await client.getTransactionReceipt({ hash })
  if (status !== 'success' || !contractAddress) throw new Error('the deployment reverted')
  return getAddress(contractAddress)
}

/** Returns an element, or throws when it is missing. */
export function at<Element>(list: readonly Element[], index: number): Element {
  const element = list[index]
  if (element === undefined) throw new RangeError(`there is no element ${index} among ${list.length}`)
  return element
}

let context: EdrContext | undefined

/** The native runtime allows one context per process, so all chains and Solidity tests share it. */
export function edrContext(): EdrContext {
  context ??= new EdrContext()
  return context
}

async function edrProvider(chainId: number, genesisTime: bigint, keys: readonly Hex[]) {
  const context = edrContext()
  await context.registerProviderFactory(L1_CHAIN_TYPE, l1ProviderFactory())
  const funded = keys.map((key) => ({
    address: hexToBytes(privateKeyToAddress(key)),
    balance: TEST_BALANCE_WEI,
  }))
  return context.createProvider(
    L1_CHAIN_TYPE,
    {
      allowBlocksWithSameTimestamp: true,
      allowUnlimitedContractSize: false,
      bailOnCallFailure: true,
      bailOnTransactionFailure: false,
      chainId: BigInt(chainId),
      networkId: BigInt(chainId),
      coinbase: hexToBytes('0x00000000000000000000000000000000000c01ba'),
      defaultTransactionGasLimit: 16_000_000n,
      genesisState: [...l1GenesisState(l1HardforkFromString(OSAKA)), ...funded],
      hardfork: OSAKA,
      initialBaseFeePerGas: 0n,
      minGasPrice: 0n,
      mining: { autoMine: true, blockGasLimit: 60_000_000n, memPool: { order: MineOrdering.Fifo } },
      network: {
        genesisBlockGasLimit: 60_000_000n,
        genesisBlockTime: genesisTime,
        genesisBlobGas: { gasUsed: 0n, excessGas: 0n },
      },
      observability: {},
      ownedAccounts: [...keys],
      precompileOverrides: [],
    },
    { enable: false, decodeConsoleLogInputsCallback: () => [], printLineCallback: () => {} },
    { subscriptionCallback: () => {} },
    new ContractDecoder(),
  )
}
