import { createStore, useStore } from '../store.js'
import { openBrowserWallet } from './browser-wallet.js'
import type { FoundWallet } from './discovery.js'
import type { Wallet } from './provider.js'
import { storedKey } from './test-key.js'

const REMEMBERED = 'wallet'

const connected = createStore<Wallet | undefined>(undefined)
let wasLeft = false

/** The wallet that signs on this page; undefined while none is connected. */
export function useWallet(): Wallet | undefined {
  return useStore(connected)
}

/** Asks a wallet of this browser to sign for this page. Fails as the wallet does. */
export async function connectBrowserWallet(found: FoundWallet, { quietly = false } = {}): Promise<void> {
  const opened = await openBrowserWallet(found, { quietly, changed: connected.set })
  if (!opened) return
  connected.get()?.connection.close()
  remember(found.id)
  connected.set(opened)
}

/** Opens the play-money wallet of this tab. */
export async function connectTestWallet(chainId: number): Promise<void> {
  const { openTestWallet } = await import('./test-wallet.js')
  const opened = await openTestWallet(chainId)
  connected.get()?.connection.close()
  remember(undefined)
  connected.set(opened)
}

/** The page forgets the wallet. The test wallet’s key stays in the tab, since its money would be lost with it. */
export function disconnectWallet(): void {
  connected.get()?.connection.close()
  wasLeft = true
  remember(undefined)
  connected.set(undefined)
}

/** Which wallet of this browser was connected last. */
export function rememberedWallet(): string | null {
  try {
    return window.localStorage.getItem(REMEMBERED)
  } catch {
    return null
  }
}

/** Whether this tab has a test wallet that was not left on purpose. */
export function hasTestWallet(): boolean {
  return !wasLeft && storedKey() !== undefined
}

function remember(id: string | undefined): void {
  try {
    if (id === undefined) window.localStorage.removeItem(REMEMBERED)
    else window.localStorage.setItem(REMEMBERED, id)
  } catch {
    // The wallet is then chosen again on the next visit.
  }
}
