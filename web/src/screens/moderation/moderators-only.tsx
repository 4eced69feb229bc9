import type { ReactNode } from 'react'
import { useSession } from '../../api/session.js'
import { SignedInWallet } from '../../ui/signed-in.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { LazySignIn } from '../../wallet/lazy-sign-in.js'

/** Shows its content to a moderator; to everyone else, what this is and how one becomes a moderator. */
export function ModeratorsOnly({ children }: { children: ReactNode }) {
  const session = useSession()
  if (session.state === 'unknown') return <Skeleton rows={3} label="Checking your login" />
  if (session.state === 'failed') return <ErrorState error={session.error} retry={session.retry} />
  if (session.state !== 'in' || session.wallet === null)
    return (
      <section className="panel moderation-login" aria-labelledby="login-title">
        <h2 id="login-title">For moderators</h2>
        <p>
          Here moderators read what was reported and decide about it: label it, take it down, suspend its author, or
          leave it as it is. Sign in with the wallet that the operator has named.
        </p>
        <LazySignIn />
      </section>
    )
  return (
    <>
      <SignedInWallet />
      {session.isModerator ? (
        children
      ) : (
        <EmptyState title="This wallet is not a moderator’s">
          <p>
            The operator names moderators: with the command <code>moderators</code> while the service runs, or in the
            variable <code>MODERATOR_WALLETS</code>.
          </p>
        </EmptyState>
      )}
    </>
  )
}
