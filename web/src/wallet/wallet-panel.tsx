import './wallet.css'
import { useState } from 'react'
import { useSignedIn } from '../api/session.js'
import { useWalletBalance } from '../api/trading.js'
import { weiToBnb } from '../format/wei.js'
import { Worth } from '../ui/money.js'
import { SignOutButton } from '../ui/signed-in.js'
import { WalletLink } from '../ui/wallet-name.js'
import { ConnectChoice } from './connect-choice.js'
import type { MarketChain, Wallet } from './provider.js'
import { useReconnect } from './use-reconnect.js'
import { disconnectWallet, useWallet } from './wallet.js'

/** The connected wallet and its balance, or the ways to connect one. */
export function WalletPanel({ chain, hasFaucet }: { chain: MarketChain; hasFaucet: boolean }) {
  const wallet = useWallet()
  useReconnect(chain, hasFaucet)
  return (
    <div className="wallet">
      {wallet ? <Connected wallet={wallet} /> : <Connect chain={chain} hasFaucet={hasFaucet} />}
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

export function PlayMoney() {
  return (
    <p className="play-money">
      <strong>Test wallet, play money.</strong> It exists only on this service’s own chain and in this browser. Never
      send anything of value to it.
    </p>
  )
}

function Connect({ chain, hasFaucet }: { chain: MarketChain; hasFaucet: boolean }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <ConnectChoice chain={chain} hasFaucet={hasFaucet} />
  return (
    <button type="button" className="button" onClick={() => setOpen(true)}>
      Connect a wallet
    </button>
  )
}
