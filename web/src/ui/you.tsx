import { useSignedIn } from '../api/session.js'
import { useRemembered } from '../wallet/remembered.js'

/** The wallets of the person who reads: the connected one first, then the one that has signed in. */
export function useOwnWallets(): readonly string[] {
  const { address } = useRemembered()
  const { wallet } = useSignedIn() ?? {}
  return [address, wallet].filter((one) => one !== undefined && one !== null)
}

/** Marks a row as one’s own. Shows nothing beside the wallets of others. */
export function You({ address }: { address: string }) {
  return useOwnWallets().includes(address) ? <span className="you">you</span> : null
}
