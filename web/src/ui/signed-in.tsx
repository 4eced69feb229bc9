import { useMutation } from '@tanstack/react-query'
import { signOut, useSignedIn } from '../api/session.js'
import { FormFailure } from './form-failure.js'
import { WalletLink } from './wallet-name.js'

/** Shows which wallet has signed in, if any. */
export function SignedInWallet() {
  const { wallet } = useSignedIn() ?? {}
  if (!wallet) return null
  return (
    <div className="reading-as">
      <span>
        Signed in with <WalletLink address={wallet} />
      </span>
      <SignOutButton />
    </div>
  )
}

/** Ends the session of this browser: a wallet’s and an owner’s. */
export function SignOutButton({ className = 'button button-quiet', label = 'Sign out' }) {
  const leave = useMutation({ mutationFn: signOut })
  return (
    <>
      <button type="button" className={className} onClick={() => !leave.isPending && leave.mutate()}>
        {label}
      </button>
      {leave.error && <FormFailure error={leave.error} />}
    </>
  )
}
