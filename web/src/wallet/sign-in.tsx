import { useMutation } from '@tanstack/react-query'
import { usePlatformConfig } from '../api/platform.js'
import { type FoundWallet, useFoundWallets } from './discovery.js'
import { signInWith } from './sign-in-with.js'
import { connectBrowserWallet, connectTestWallet } from './wallet.js'
import { WalletChoice } from './wallet-choice.js'

/** Signs in with a wallet: connects it and has it sign a text of the service, which moves nothing. */
export function SignIn() {
  const { data: config } = usePlatformConfig()
  const found = useFoundWallets()
  const chainId = config?.features.faucet ? config.chain?.id : undefined
  const enter = useMutation({
    mutationFn: async (choice: FoundWallet | 'test') => {
      const wallet = await (choice === 'test' ? connectTestWallet(chainId ?? 0) : connectBrowserWallet(choice))
      if (!wallet) throw new Error('It offers no account.')
      await signInWith(wallet)
    },
  })
  return (
    <WalletChoice
      title="Choose the wallet"
      hint="It signs a text. That moves nothing and costs nothing."
      found={found}
      hasTestWallet={chainId !== undefined}
      onChoose={(choice) => !enter.isPending && enter.mutate(choice)}
      waiting={enter.isPending ? 'Waiting for your wallet to sign…' : undefined}
      error={enter.error}
      task="sign"
    />
  )
}
