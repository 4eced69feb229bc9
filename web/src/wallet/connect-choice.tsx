import { useMutation } from '@tanstack/react-query'
import { type FoundWallet, useFoundWallets } from './discovery.js'
import type { MarketChain } from './provider.js'
import { connectBrowserWallet, connectTestWallet } from './wallet.js'
import { WalletChoice } from './wallet-choice.js'

/** Connects the wallet that the person chooses. */
export function ConnectChoice({ chain, hasFaucet }: { chain: MarketChain; hasFaucet: boolean }) {
  const found = useFoundWallets()
  const connect = useMutation({
    mutationFn: async (choice: FoundWallet | 'test') => {
      const wallet = await (choice === 'test' ? connectTestWallet(chain.id) : connectBrowserWallet(choice))
      if (!wallet) throw new Error('It offers no account.')
    },
  })
  const waiting = connect.variables === 'test' ? 'Funding the test wallet…' : 'Waiting for your wallet…'
  return (
    <WalletChoice
      title="Choose a wallet"
      found={found}
      hasTestWallet={hasFaucet}
      onChoose={(choice) => connect.mutate(choice)}
      waiting={connect.isPending ? waiting : undefined}
      error={connect.error}
      task="connect"
    />
  )
}
