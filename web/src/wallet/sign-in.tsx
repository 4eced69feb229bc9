import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { usePlatformConfig } from '../api/platform.js'
import { useSignedIn } from '../api/session.js'
import { type FoundWallet, useFoundWallets } from './discovery.js'
import { signInWith } from './sign-in-with.js'
import { SignWith } from './sign-with.js'
import { connectBrowserWallet, connectTestWallet, useWallet } from './wallet.js'
import { WalletChoice } from './wallet-choice.js'

/**
 * Signs in with the connected wallet, or with one that it connects: it signs a text of the service, which moves nothing.
 * A connected one is asked at once if the person has just asked to sign in.
 */
export function SignIn({ isAsked = false }: { isAsked?: boolean }) {
  const { data: config } = usePlatformConfig()
  const found = useFoundWallets()
  const connected = useWallet()
  const session = useSignedIn()
  const [atFirst] = useState(connected)
  // A wallet that is being connected here must not replace the list it was chosen from.
  const [isChoosing, setChoosing] = useState(false)
  const chainId = config?.features.faucet ? config.chain?.id : undefined
  const enter = useMutation({
    mutationFn: async (choice: FoundWallet | 'test') => {
      const wallet = await (choice === 'test' ? connectTestWallet(chainId ?? 0) : connectBrowserWallet(choice))
      if (!wallet) throw new Error('It offers no account.')
      await signInWith(wallet)
    },
  })
  if (connected && connected.address !== session?.wallet && !isChoosing)
    return (
      <SignWith wallet={connected} isAsked={isAsked && connected === atFirst}>
        <button type="button" className="button button-quiet" onClick={() => setChoosing(true)}>
          Use another wallet
        </button>
      </SignWith>
    )
  return (
    <WalletChoice
      title="Choose the wallet"
      hint="It signs a text. That moves nothing and costs nothing."
      found={found}
      hasTestWallet={chainId !== undefined}
      onChoose={(choice) => {
        setChoosing(true)
        if (!enter.isPending) enter.mutate(choice)
      }}
      waiting={enter.isPending ? 'Waiting for your wallet to sign…' : undefined}
      error={enter.error}
      task="sign"
    />
  )
}
