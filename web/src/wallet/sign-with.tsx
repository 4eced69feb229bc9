import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Wallet } from './provider.js'
import { signInWith } from './sign-in-with.js'
import { WalletFailure } from './wallet-failure.js'

/** Has a connected wallet sign in, on one click or, if the person has already asked, at once. */
export function SignWith({
  wallet,
  isAsked = false,
  label = `Sign in with ${wallet.name}`,
  children,
}: {
  wallet: Wallet
  isAsked?: boolean
  label?: string
  /** Other ways, beside the button. */
  children?: ReactNode
}) {
  const { mutate, isPending, error } = useMutation({ mutationFn: signInWith })
  const isStarted = useRef(false)
  useEffect(() => {
    if (!isAsked || isStarted.current) return
    isStarted.current = true
    mutate(wallet)
  }, [isAsked, wallet, mutate])
  return (
    <div className="sign-with">
      <p className="quiet">It signs a text. That moves nothing and costs nothing.</p>
      <div className="locked-ways">
        <button
          type="button"
          className="button button-main"
          aria-disabled={isPending}
          onClick={() => !isPending && mutate(wallet)}
        >
          {isPending ? 'Waiting for your wallet…' : label}
        </button>
        {children}
      </div>
      {error && <WalletFailure error={error} task="sign" />}
    </div>
  )
}
