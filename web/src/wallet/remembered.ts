import { createStore, useStore } from '../store.js'
import type { Address } from './provider.js'

/** The wallet of this browser, as far as the page knows it before any wallet code is loaded. */
export interface Remembered {
  /** A browser wallet’s id, `test`, or `none` after the person has disconnected; null before the first connection. */
  readonly id: string | null
  /** Where it was when it was connected last. */
  readonly address: Address | undefined
}

const ID = 'wallet'
const ADDRESS = 'wallet-address'
const KEY = 'test-wallet'

export const TEST = 'test'
export const NONE = 'none'

const remembered = createStore<Remembered>(recall())

// What one tab connects or disconnects, all of them do.
window.addEventListener('storage', ({ key }) => {
  if (key === ID || key === ADDRESS || key === KEY || key === null) remembered.set(recall())
})

function recall(): Remembered {
  const address = read(ADDRESS)
  const id = read(ID) ?? (read(KEY) === null ? null : TEST)
  return { id, address: id !== NONE && /^0x[0-9a-f]{40}$/.test(address ?? '') ? (address as Address) : undefined }
}

export const rememberedWallet = remembered.get

export const watchRemembered = remembered.watch

export function useRemembered(): Remembered {
  return useStore(remembered)
}

/** Whether a wallet was connected and not disconnected since. */
export function isConnectedBefore({ id }: Remembered): boolean {
  return id !== null && id !== NONE
}

/** Without storage, it lasts as long as the page. */
export function remember(id: string, address?: Address): void {
  write(ADDRESS, address)
  write(ID, id)
  remembered.set({ id, address })
}

/** Until the wallet is connected again, it is not known where it is: it may be locked. */
export function forgetAddress(): void {
  remembered.set({ ...remembered.get(), address: undefined })
}

let memory: string | undefined

/** The key of this browser’s test wallet. */
export function storedKey(): `0x${string}` | undefined {
  const key = read(KEY) ?? memory ?? ''
  return /^0x[0-9a-f]{64}$/.test(key) ? (key as `0x${string}`) : undefined
}

export function storeKey(key: `0x${string}`): void {
  memory = key
  write(KEY, key)
}

function read(name: string): string | null {
  try {
    return window.localStorage.getItem(name)
  } catch {
    return null
  }
}

function write(name: string, value: string | undefined): void {
  try {
    if (value === undefined) window.localStorage.removeItem(name)
    else window.localStorage.setItem(name, value)
  } catch {
    // Then only this page knows it.
  }
}
