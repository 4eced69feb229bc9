import { createStore, useStore } from '../store.js'
import { openBrowserWallet } from './browser-wallet.js'
import type { FoundWallet } from './discovery.js'
import type { Wallet } from './provider.js'
import { storedKey } from './test-key.js'

const REMEMBERED = 'wallet'

const connected = createStore<Wallet | undefined>(undefined)
let wasLeft = false

/** Undefined while no wallet is connected. */
export function useWallet(): Wallet | undefined {
  return useStore(connected)
}

/** Asks a browser wallet for permission. Fails with the wallet's error; undefined if it offers no account. */
export async function connectBrowserWallet(found: FoundWallet, { quietly = false } = {}): Promise<Wallet | undefined> {
  const opened = await openBrowserWallet(found, { quietly, changed: connected.set })
  if (!opened) return undefined
  connected.get()?.connection.close()
  remember(found.id)
  connected.set(opened)
  return opened
}

export async function connectTestWallet(chainId: number): Promise<Wallet> {
  const { openTestWallet } = await import('./test-wallet.js')
  const opened = await openTestWallet(chainId)
  connected.get()?.connection.close()
  remember(undefined)
  connected.set(opened)
  return opened
}

/** Disconnects the wallet. Keeps the test wallet’s key in the tab, because its money would be lost otherwise. */
export function disconnectWallet(): void {
  connected.get()?.connection.close()
  wasLeft = true
  remember(undefined)
  connected.set(undefined)
}

/** The id of the browser wallet that was connected last. */
export function rememberedWallet(): string | null {
  try {
    return window.localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

/** Whether this tab has a test wallet that was not disconnected. */
export function hasTestWallet(): boolean {
  return !wasLeft && storedKey() !== undefined
}

function remember(id: string | undefined): void {
  try {
    if (id === undefined) window.localStorage.removeItem(REMEMBERED)
    else window.localStorage.setItem(REMEMBERED, id)
  } catch {
    // Then the person chooses the wallet again on the next visit.
  }
}
