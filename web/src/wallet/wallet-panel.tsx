import './wallet.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSignedIn } from '../api/session.js'
import { useWalletBalance } from '../api/trading.js'
import { weiToBnb } from '../format/wei.js'
import { Worth } from '../ui/money.js'
import { SignOutButton } from '../ui/signed-in.js'
import { WalletLink } from '../ui/wallet-name.js'
import { type FoundWallet, useFoundWallets } from './discovery.js'
import type { MarketChain, Wallet } from './provider.js'
import {
  connectBrowserWallet,
  connectTestWallet,
  disconnectWallet,
  hasTestWallet,
  rememberedWallet,
  useWallet,
} from './wallet.js'
import { WalletChoice } from './wallet-choice.js'

/** The connected wallet and its balance, or the ways to connect one. */
export function WalletPanel({ chain, hasFaucet }: { chain: MarketChain; hasFaucet: boolean }) {
  const wallet = useWallet()
  const found = useFoundWallets()
  useReconnect(found, chain, hasFaucet)
  return (
    <div className="wallet">
      {wallet ? <Connected wallet={wallet} /> : <Connect found={found} chain={chain} hasFaucet={hasFaucet} />}
    </div>
  )
}

function Connected({ wallet }: { wallet: Wallet }) {
  const { data: balance } = useWalletBalance(wallet)
  const session = useSignedIn()
  return (
    <>
      {wallet.kind === 'test' && <PlayMoney />}
      <div className="wallet-line">
        <span>
          {wallet.name} <WalletLink address={wallet.address} />
        </span>
        <button type="button" className="wallet-leave" onClick={disconnectWallet}>
          Disconnect
        </button>
      </div>
      <p className="wallet-balance">{balance !== undefined && <Worth bnb={weiToBnb(balance)} />}</p>
      {wallet.address === session?.wallet && (
        <p className="wallet-session quiet">
          Signed in: you read what its shares open. <SignOutButton className="wallet-leave" />
        </p>
      )}
    </>
  )
}

function PlayMoney() {
  return (
    <p className="play-money">
      <strong>Test wallet, play money.</strong> It exists only on this service’s own chain and in this tab. Never send
      anything of value to it.
    </p>
  )
}

function Connect({
  found,
  chain,
  hasFaucet,
}: {
  found: readonly FoundWallet[]
  chain: MarketChain
  hasFaucet: boolean
}) {
  const [isOpen, setOpen] = useState(false)
  const connect = useMutation({
    mutationFn: (choice: FoundWallet | 'test') =>
      choice === 'test' ? connectTestWallet(chain.id) : connectBrowserWallet(choice),
  })
  if (!isOpen)
    return (
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Connect a wallet
      </button>
    )
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

// Reconnects the wallet of the last visit, or from before a reload, without asking.
function useReconnect(found: readonly FoundWallet[], chain: MarketChain, hasFaucet: boolean): void {
  const wallet = useWallet()
  const isTried = useRef(false)
  useEffect(() => {
    if (wallet || isTried.current) return
    const remembered = found.find(({ id }) => id === rememberedWallet())
    if (!remembered && !(hasFaucet && hasTestWallet())) return
    isTried.current = true
    const connecting = remembered ? connectBrowserWallet(remembered, { quietly: true }) : connectTestWallet(chain.id)
    connecting.catch(() => {})
  }, [wallet, found, chain, hasFaucet])
}
