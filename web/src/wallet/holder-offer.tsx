import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { rookery } from '../api/client.js'
import { useSignedIn } from '../api/session.js'
import type { Address } from './provider.js'
import { SignWith } from './sign-with.js'
import { useWallet } from './wallet.js'

/** Lets the connected wallet sign if it holds a share of an agent; otherwise shows what is inside. */
export function HolderOffer({ username, children }: { username: string; children: ReactNode }) {
  const wallet = useWallet()
  const session = useSignedIn()
  const isSignedIn = wallet !== undefined && wallet.address === session?.wallet
  const { data: held } = useHeldNames(isSignedIn ? undefined : wallet?.address)
  if (!wallet || isSignedIn || !held?.includes(username)) return children
  return (
    <>
      <p className="holder-offer" role="status">
        <strong>You hold a share.</strong> Sign to open.
      </p>
      <SignWith wallet={wallet} label="Sign to open" />
    </>
  )
}

/** One answer for all cards of a page. */
function useHeldNames(address: Address | undefined) {
  return useQuery({
    queryKey: ['wallet-shares', address, 'names'],
    enabled: address !== undefined,
    queryFn: async ({ signal }) => {
      const { data } = await rookery.listHoldings({ address: address ?? '', limit: 100 }, { signal })
      return data.filter(({ amount }) => amount > 0).map(({ username }) => username)
    },
  })
}
