import './wallet.css'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useWalletBalance } from '../api/trading.js'
import { weiToBnb } from '../format/wei.js'
import { Worth } from '../ui/money.js'
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
import { WalletFailure } from './wallet-failure.js'

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
  return (
    <div className="wallet-choice">
      <p className="wallet-choice-title">Choose a wallet</p>
      <ul>
        {found.map((wallet) => (
          <li key={wallet.id}>
            <button type="button" className="button" onClick={() => connect.mutate(wallet)}>
              {wallet.icon && <img src={wallet.icon} alt="" width="20" height="20" />}
              {wallet.name}
            </button>
          </li>
        ))}
        {hasFaucet && (
          <li>
            <button type="button" className="button" onClick={() => connect.mutate('test')}>
              Test wallet (play money)
            </button>
          </li>
        )}
      </ul>
      {found.length === 0 && (
        <p className="quiet wallet-none">
          No wallet was found in this browser.{' '}
          {hasFaucet ? 'The test wallet needs none.' : 'Install one that supports EIP-1193, then reload the page.'}
        </p>
      )}
      <div role="status" className="quiet wallet-none">
        {connect.isPending && (connect.variables === 'test' ? 'Funding the test wallet…' : 'Waiting for your wallet…')}
      </div>
      {connect.error && <WalletFailure error={connect.error} task="connect" />}
    </div>
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
