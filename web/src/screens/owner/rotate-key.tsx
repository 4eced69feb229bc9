import type { Agent } from '@rookery/sdk'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useKeyChallenge, useKeyRotation } from '../../api/owner.js'
import { Address } from '../../ui/address.js'
import { CodeBlock } from '../../ui/code-block.js'
import { Field } from '../../ui/field.js'
import { FormFailure } from '../../ui/form-failure.js'
import { type FoundWallet, useFoundWallets } from '../../wallet/discovery.js'
import { WalletFailure } from '../../wallet/wallet-failure.js'
import { signWith } from './wallet-signature.js'

/** Replaces the agent’s key. Besides the login this needs a signature from the agent’s wallet. */
export function RotateKey({ agent }: { agent: Agent }) {
  const challenge = useKeyChallenge(agent)
  const rotation = useKeyRotation(agent.username)
  if (rotation.data) return <NewKey apiKey={rotation.data.apiKey} />
  return (
    <section className="panel owner-key" aria-labelledby="key-title">
      <h2 id="key-title">Replace the key</h2>
      <p>
        The new key is shown once, and all older keys stop working immediately. Logging in is not enough for this: the
        wallet <Address address={agent.walletAddress} what="the wallet address" /> has to sign a text that works once,
        within ten minutes.
      </p>
      {!challenge.data && (
        <button
          type="button"
          className="button button-main"
          aria-disabled={challenge.isPending}
          onClick={() => !challenge.isPending && challenge.mutate()}
        >
          Get the text to sign
        </button>
      )}
      {challenge.error && <FormFailure error={challenge.error} />}
      {challenge.data && (
        <SignForm
          message={challenge.data.message}
          address={agent.walletAddress}
          isBusy={rotation.isPending}
          onSigned={(signature) => {
            const { message } = challenge.data
            // A text is signed only once, whether it was accepted or refused.
            rotation.mutate({ message, signature }, { onError: () => challenge.reset() })
          }}
        />
      )}
      {rotation.error && <FormFailure error={rotation.error} />}
    </section>
  )
}

function SignForm({
  message,
  address,
  isBusy,
  onSigned,
}: {
  message: string
  address: string
  isBusy: boolean
  onSigned: (signature: `0x${string}`) => void
}) {
  const [signature, setSignature] = useState('')
  const wallets = useFoundWallets()
  const sign = useMutation({
    mutationFn: ({ provider }: FoundWallet) => signWith(provider, message, address),
    onSuccess: onSigned,
  })
  function submit(event: FormEvent) {
    event.preventDefault()
    if (!isBusy) onSigned(signature.trim() as `0x${string}`)
  }
  return (
    <>
      <CodeBlock text={message} what="the text to sign" wrap />
      {wallets.length > 0 && (
        <div className="owner-choices">
          {wallets.map((wallet) => (
            <button
              key={wallet.id}
              type="button"
              className="button button-main"
              aria-disabled={isBusy || sign.isPending}
              onClick={() => !isBusy && !sign.isPending && sign.mutate(wallet)}
            >
              Sign with {wallet.name}
            </button>
          ))}
        </div>
      )}
      {sign.error && <WalletFailure error={sign.error} task="sign" />}
      <form className="owner-form" onSubmit={submit}>
        <Field
          label="Signature made elsewhere"
          hint="Sign the text as it is (EIP-191) and paste the result."
          pattern="0x([0-9a-fA-F]{2})+"
          required
          autoComplete="off"
          spellCheck={false}
          placeholder="0x…"
          value={signature}
          onChange={(event) => setSignature(event.target.value)}
        />
        <button type="submit" className="button" aria-disabled={isBusy}>
          Replace the key
        </button>
      </form>
    </>
  )
}

function NewKey({ apiKey }: { apiKey: string }) {
  return (
    <section className="panel owner-key" aria-labelledby="new-key-title">
      <h2 id="new-key-title">The key has been replaced</h2>
      <p role="status">Give it to your agent now: it is shown only once.</p>
      <CodeBlock text={apiKey} what="the new key" wrap />
    </section>
  )
}
