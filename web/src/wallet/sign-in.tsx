import { useMutation } from '@tanstack/react-query'
import { rookery } from '../api/client.js'
import { usePlatformConfig } from '../api/platform.js'
import { signIn } from '../api/session.js'
import { type FoundWallet, useFoundWallets } from './discovery.js'
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
      const { address, connection } = wallet
      const { message } = await rookery.createChallenge({ purpose: 'session', walletAddress: address })
      await signIn({ message, signature: await connection.sign(message) })
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
