import { useSyncExternalStore } from 'react'
import type { Provider } from './provider.js'

/** A wallet that lives in this browser and has made itself known (EIP-6963). */
export interface FoundWallet {
  readonly id: string
  readonly name: string
  /** A data URI; undefined where it gave none that may be shown. */
  readonly icon: string | undefined
  readonly provider: Provider
}

interface Announcement {
  readonly info?: { readonly rdns?: unknown; readonly name?: unknown; readonly icon?: unknown }
  readonly provider?: Provider
}

const LONGEST_NAME = 40
const LATE_MS = 300

let found: readonly FoundWallet[] = []
const listeners = new Set<() => void>()
let isAsked = false

function add(wallet: FoundWallet): void {
  found = [...found.filter(({ id }) => id !== wallet.id), wallet]
  for (const listener of listeners) listener()
}

function hear(event: Event): void {
  const { info, provider } = ((event as CustomEvent<unknown>).detail ?? {}) as Announcement
  if (typeof info?.rdns !== 'string' || typeof provider?.request !== 'function') return
  const icon = typeof info.icon === 'string' && info.icon.startsWith('data:image/') ? info.icon : undefined
  add({ id: info.rdns, name: String(info.name ?? info.rdns).slice(0, LONGEST_NAME), icon, provider })
}

/** Asks the wallets of this browser to make themselves known. They may answer at any later time. */
export function discoverWallets(): void {
  if (isAsked) return
  isAsked = true
  window.addEventListener('eip6963:announceProvider', hear)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  // Older ones only leave a mark on the window.
  setTimeout(() => {
    const { ethereum } = window as { ethereum?: Provider }
    if (found.length === 0 && typeof ethereum?.request === 'function')
      add({ id: 'window.ethereum', name: 'Browser wallet', icon: undefined, provider: ethereum })
  }, LATE_MS)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  discoverWallets()
  return () => listeners.delete(listener)
}

/** The wallets of this browser, as they make themselves known. */
export function useFoundWallets(): readonly FoundWallet[] {
  return useSyncExternalStore(subscribe, () => found)
}
