import { useEffect } from 'react'
import { createStore, useStore } from '../store.js'
import type { Provider } from './provider.js'

/** A browser wallet that has announced itself (EIP-6963). */
export interface FoundWallet {
  readonly id: string
  readonly name: string
  /** A data URI; undefined without one that is safe to show. */
  readonly icon: string | undefined
  readonly provider: Provider
}

interface Announcement {
  readonly info?: { readonly rdns?: unknown; readonly name?: unknown; readonly icon?: unknown }
  readonly provider?: Provider
}

const LONGEST_NAME = 40
const LATE_MS = 300

const wallets = createStore<readonly FoundWallet[]>([])
let isAsked = false

function add(wallet: FoundWallet): void {
  wallets.set([...wallets.get().filter(({ id }) => id !== wallet.id), wallet])
}

function onAnnouncement(event: Event): void {
  const { info, provider } = ((event as CustomEvent<unknown>).detail ?? {}) as Announcement
  if (typeof info?.rdns !== 'string' || typeof provider?.request !== 'function') return
  const icon = typeof info.icon === 'string' && info.icon.startsWith('data:image/') ? info.icon : undefined
  add({ id: info.rdns, name: String(info.name ?? info.rdns).slice(0, LONGEST_NAME), icon, provider })
}

/** Asks browser wallets to announce themselves. They may answer at any later time. */
function discoverWallets(): void {
  if (isAsked) return
  isAsked = true
  window.addEventListener('eip6963:announceProvider', onAnnouncement)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  // Older wallets only set `window.ethereum`.
  setTimeout(() => {
    const { ethereum } = window as { ethereum?: Provider }
    if (wallets.get().length === 0 && typeof ethereum?.request === 'function')
      add({ id: 'window.ethereum', name: 'Browser wallet', icon: undefined, provider: ethereum })
  }, LATE_MS)
}

/** The announced browser wallets. */
export function useFoundWallets(): readonly FoundWallet[] {
  useEffect(discoverWallets, [])
  return useStore(wallets)
}
