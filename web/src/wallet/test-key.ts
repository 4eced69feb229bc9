import type { Hash } from './provider.js'

const NAME = 'test-wallet'

let memory: Hash | undefined

/** The key of this tab’s test wallet. Without session storage, it lasts as long as the page. */
export function storedKey(): Hash | undefined {
  const key = read()
  return key !== null && /^0x[0-9a-f]{64}$/.test(key) ? (key as Hash) : memory
}

export function storeKey(key: Hash | undefined): void {
  memory = key
  try {
    if (key === undefined) window.sessionStorage.removeItem(NAME)
    else window.sessionStorage.setItem(NAME, key)
  } catch {
    // Then the key is only in memory.
  }
}

function read(): string | null {
  try {
    return window.sessionStorage.getItem(NAME)
  } catch {
    return null
  }
}
