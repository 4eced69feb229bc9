import { createStore, useStore } from '../store.js'
import { openBrowserWallet } from './browser-wallet.js'
import type { FoundWallet } from './discovery.js'
import type { Wallet } from './provider.js'
import { forgetAddress, NONE, remember, rememberedWallet, TEST, watchRemembered } from './remembered.js'

const connected = createStore<Wallet | undefined>(undefined)
let connectedId: string | undefined

// Another tab has disconnected, or connected another wallet.
watchRemembered(() => {
  if (rememberedWallet().id !== connectedId) leave()
})

/** Undefined while no wallet is connected. */
export function useWallet(): Wallet | undefined {
  return useStore(connected)
}

/** Asks a browser wallet for permission. Fails with the wallet's error; undefined if it offers no account. */
export async function connectBrowserWallet(found: FoundWallet, { quietly = false } = {}): Promise<Wallet | undefined> {
  const changed = (wallet: Wallet | undefined) => {
    connected.set(wallet)
    remember(found.id, wallet?.address)
  }
  const opened = await openBrowserWallet(found, { quietly, changed })
  if (opened) enter(found.id, opened)
  else forgetAddress()
  return opened
}

export async function connectTestWallet(chainId: number): Promise<Wallet> {
  const { openTestWallet } = await import('./test-wallet.js')
  const opened = await openTestWallet(chainId)
  enter(TEST, opened)
  return opened
}

function enter(id: string, wallet: Wallet): void {
  connected.get()?.connection.close()
  connectedId = id
  connected.set(wallet)
  remember(id, wallet.address)
}

/** Disconnects the wallet in all tabs. Keeps the test wallet’s key, because its money would be lost otherwise. */
export function disconnectWallet(): void {
  leave()
  remember(NONE)
}

function leave(): void {
  connectedId = undefined
  connected.get()?.connection.close()
  if (connected.get()) connected.set(undefined)
}
