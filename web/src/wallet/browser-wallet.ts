import type { UnsignedTransaction } from '@rookery/sdk'
import type { FoundWallet } from './discovery.js'
import {
  type Address,
  type Connection,
  type Hash,
  type MarketChain,
  type Outcome,
  readFailure,
  type Signature,
  type Wallet,
} from './provider.js'

const POLL_MS = 1000
const UNKNOWN_CHAIN = 4902

const hex = (value: number | bigint): `0x${string}` => `0x${value.toString(16)}`

// Not viem’s, which would bring its code along.
const textToHex = (text: string): `0x${string}` =>
  `0x${Array.from(new TextEncoder().encode(text), (byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** Connects a browser wallet. `quietly` only checks whether it already trusts the page, and opens no window. */
export async function openBrowserWallet(
  { name, provider }: FoundWallet,
  { quietly, changed }: { quietly: boolean; changed: (wallet: Wallet | undefined) => void },
): Promise<Wallet | undefined> {
  const accounts = await provider.request({ method: quietly ? 'eth_accounts' : 'eth_requestAccounts' })
  let address = firstOf(accounts)
  if (address === undefined) return undefined
  let chainId = Number(await provider.request({ method: 'eth_chainId' }))

  const current = (): Wallet | undefined => address && { kind: 'browser', name, address, chainId, connection }
  function changeAccounts(accounts: unknown): void {
    address = firstOf(accounts)
    changed(current())
  }
  function changeChain(id: unknown): void {
    chainId = Number(id)
    changed(current())
  }
  provider.on?.('accountsChanged', changeAccounts)
  provider.on?.('chainChanged', changeChain)

  const connection: Connection = {
    balance: async () =>
      BigInt(String(await provider.request({ method: 'eth_getBalance', params: [address, 'latest'] }))),
    sign: async (message) =>
      (await provider.request({ method: 'personal_sign', params: [textToHex(message), address] })) as Signature,
    async send({ to, data, value, gasLimit }: UnsignedTransaction) {
      const transaction = { from: address, to, data, value, gas: hex(BigInt(gasLimit)) }
      return (await provider.request({ method: 'eth_sendTransaction', params: [transaction] })) as Hash
    },
    async outcome(hash) {
      for (;;) {
        const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] })
        if (receipt) return outcomeOf(receipt)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS))
      }
    },
    switchTo: (chain) => switchChain(chain, (method, params) => provider.request({ method, params })),
    close() {
      provider.removeListener?.('accountsChanged', changeAccounts)
      provider.removeListener?.('chainChanged', changeChain)
    },
  }
  return current()
}

function outcomeOf(receipt: object): Outcome {
  return Number((receipt as { status?: string }).status) === 1 ? 'success' : 'reverted'
}

function firstOf(accounts: unknown): Address | undefined {
  const [first]: unknown[] = Array.isArray(accounts) ? accounts : []
  return typeof first === 'string' ? (first.toLowerCase() as Address) : undefined
}

// Adds the chain to a wallet that does not have it yet.
async function switchChain(
  { id, name, nativeCurrency, rpcUrl, explorerUrl }: MarketChain,
  call: (method: string, params: unknown[]) => Promise<unknown>,
): Promise<void> {
  try {
    await call('wallet_switchEthereumChain', [{ chainId: hex(id) }])
  } catch (error) {
    if (readFailure(error).code !== UNKNOWN_CHAIN) throw error
    const explorers = explorerUrl ? { blockExplorerUrls: [explorerUrl] } : {}
    await call('wallet_addEthereumChain', [
      { chainId: hex(id), chainName: name, nativeCurrency, rpcUrls: [rpcUrl], ...explorers },
    ])
  }
}
