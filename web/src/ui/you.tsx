import type { ReactNode } from 'react'
import { useSignedIn } from '../api/session.js'
import { useRemembered } from '../wallet/remembered.js'

/** The wallets of the person who reads: the connected one first, then the one that has signed in. */
export function useOwnWallets(): readonly string[] {
  const { address } = useRemembered()
  const { wallet } = useSignedIn() ?? {}
  return [address, wallet].filter((one) => one !== undefined && one !== null)
}

/** Marks a row as one’s own. For the wallets of others it shows its children, if any. */
export function You({ address, children = null }: { address: string; children?: ReactNode }) {
  return useOwnWallets().includes(address) ? <span className="you">you</span> : children
}
