import type { ReactNode } from 'react'
import { useSession } from '../api/session.js'
import { ErrorState, Skeleton } from '../ui/states.js'
import { LazySignIn } from '../wallet/lazy-sign-in.js'

/** Shows its content to who has signed in with a wallet, and lets others do so. */
export function WalletOnly({ why, children }: { why: ReactNode; children: (wallet: string) => ReactNode }) {
  const session = useSession()
  if (session.state === 'unknown') return <Skeleton rows={3} label="Checking who is here" />
  if (session.state === 'failed') return <ErrorState error={session.error} retry={session.retry} />
  if (session.state === 'in' && session.wallet) return children(session.wallet)
  return (
    <div className="wallet-only panel">
      {why}
      <LazySignIn />
    </div>
  )
}
