import type { Page } from 'playwright-core'
import { type Signer, send } from './trading.js'

/** A browser wallet controlled by the test. */
export interface BrowserWallet {
  /** Rejects the next request of the page, as if its owner pressed “reject”. */
  rejectNext(): void
  /** Every method the page has called. */
  readonly calls: readonly string[]
}

interface Options {
  readonly name: string
  /** The initial chain; the page may ask to switch. */
  readonly chainId: number
}

const REJECTED = { code: 4001, message: 'User rejected the request.' }
const UNKNOWN_CHAIN = { code: 4902, message: 'Unrecognized chain ID.' }

type Params = readonly [Record<string, string>?]

/** Adds a wallet to the page that announces itself by EIP-6963 and implements EIP-1193 with a real key. */
export async function installWallet(page: Page, signer: Signer, { name, chainId }: Options): Promise<BrowserWallet> {
  const calls: string[] = []
  const outcomes = new Map<string, string>()
  const known = new Set([chainId])
  let chain = chainId
  let rejects = false

  const methods: Record<string, (params: Params) => unknown> = {
    eth_accounts: () => [signer.wallet.address],
    eth_requestAccounts: () => [signer.wallet.address],
    eth_chainId: () => `0x${chain.toString(16)}`,
    eth_getBalance: async () => {
      const { balanceWei } = await signer.client.getLocalWallet({ address: signer.wallet.address })
      return `0x${BigInt(balanceWei).toString(16)}`
    },
    eth_sendTransaction: async ([transaction]) => {
      const { to, data, value, gas } = transaction as Record<'to' | 'data' | 'value' | 'gas', `0x${string}`>
      const hash = await send(signer, { to, data, value, gasLimit: String(BigInt(gas)), chainId: chain })
      outcomes.set(hash, '0x1')
      return hash
    },
    personal_sign: ([raw]) => signer.wallet.signMessage({ message: { raw: raw as unknown as `0x${string}` } }),
    eth_getTransactionReceipt: ([hash]) => ({ status: outcomes.get(String(hash)) ?? '0x1' }),
    wallet_switchEthereumChain: ([wanted]) => {
      const id = Number(wanted?.chainId)
      if (!known.has(id)) throw UNKNOWN_CHAIN
      chain = id
      return null
    },
    wallet_addEthereumChain: ([added]) => {
      chain = Number(added?.chainId)
      known.add(chain)
      return null
    },
  }

  await page.exposeFunction('askWallet', async (method: string, params: Params) => {
    calls.push(method)
    const isQuestion =
      ['eth_requestAccounts', 'eth_sendTransaction', 'personal_sign'].includes(method) || method.includes('wallet_')
    if (rejects && isQuestion) {
      rejects = false
      return { error: REJECTED }
    }
    try {
      return { result: await methods[method]?.(params), chainId: `0x${chain.toString(16)}` }
    } catch (error) {
      const { code = -32_603, message = String(error) } = error as { code?: number; message?: string }
      return { error: { code, message } }
    }
  })
  await page.addInitScript((name) => {
    type Answer = { result?: unknown; chainId?: string; error?: { code: number; message: string } }
    const ask = (window as unknown as { askWallet(method: string, params: unknown): Promise<Answer> }).askWallet
    const listeners = new Map<string, Set<(value: unknown) => void>>()
    let chain: string | undefined
    const provider = {
      async request({ method, params = [] }: { method: string; params?: unknown }) {
        const { result, chainId, error } = await ask(method, params)
        if (error) throw Object.assign(new Error(error.message), { code: error.code })
        if (chain !== undefined && chainId !== undefined && chain !== chainId)
          for (const listener of listeners.get('chainChanged') ?? []) listener(chainId)
        chain = chainId ?? chain
        return result
      },
      on(event: string, listener: (value: unknown) => void) {
        listeners.set(event, (listeners.get(event) ?? new Set()).add(listener))
      },
      removeListener(event: string, listener: (value: unknown) => void) {
        listeners.get(event)?.delete(listener)
      },
    }
    const info = { uuid: crypto.randomUUID(), name, rdns: `test.${name.toLowerCase()}`, icon: 'data:image/svg+xml,' }
    const announce = () =>
      window.dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
    window.addEventListener('eip6963:requestProvider', announce)
    announce()
  }, name)
  return {
    calls,
    rejectNext() {
      rejects = true
    },
  }
}
