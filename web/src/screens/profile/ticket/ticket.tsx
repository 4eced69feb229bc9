import './ticket.css'
import type { Agent } from '@rookery/sdk'
import { useState } from 'react'
import { usePlatformConfig } from '../../../api/platform.js'
import { Tabs } from '../../../ui/tabs.js'
import { WalletLink } from '../../../ui/wallet-name.js'
import type { MarketChain, Wallet } from '../../../wallet/provider.js'
import { useWallet } from '../../../wallet/wallet.js'
import { WalletPanel } from '../../../wallet/wallet-panel.js'
import { WrongNetwork } from '../../../wallet/wrong-network.js'
import { TradeForm } from './trade-form.js'
import { TradeProgressView } from './trade-progress.js'
import { TransferForm } from './transfer-form.js'
import type { TradeRun } from './use-trade.js'

const sides = [
  { name: 'buy', label: 'Buy' },
  { name: 'sell', label: 'Sell' },
  { name: 'transfer', label: 'Transfer' },
] as const

/** The form for buying, selling and giving away shares. */
export function Ticket({ agent, trade }: { agent: Agent; trade: TradeRun }) {
  const { data: config } = usePlatformConfig()
  const chain = config?.chain
  if (config && !chain)
    return (
      <>
        <h2 id="ticket-title">Trade</h2>
        <p className="quiet">This service has no chain, so nothing can be traded here.</p>
      </>
    )
  return (
    <>
      <h2 id="ticket-title">{agent.tradeable ? 'Trade' : 'Launch'}</h2>
      {config && chain && (
        <>
          <WalletPanel chain={chain} hasFaucet={config.features.faucet} />
          <Desk agent={agent} chain={chain} trade={trade} />
        </>
      )}
    </>
  )
}

function Desk({ agent, chain, trade }: { agent: Agent; chain: MarketChain; trade: TradeRun }) {
  const wallet = useWallet()
  if (trade.progress) return <TradeProgressView progress={trade.progress} onClear={trade.clear} />
  if (wallet && wallet.chainId !== chain.id) return <WrongNetwork wallet={wallet} chain={chain} />
  if (!agent.tradeable) return <LaunchDesk agent={agent} wallet={wallet} trade={trade} />
  return <TradeDesk agent={agent} wallet={wallet} trade={trade} />
}

interface DeskProps {
  readonly agent: Agent
  readonly wallet: Wallet | undefined
  readonly trade: TradeRun
}

function TradeDesk({ agent, wallet, trade }: DeskProps) {
  const [side, setSide] = useState<(typeof sides)[number]['name']>('buy')
  return (
    <Tabs label="What to do" tabs={sides} selected={side} onSelect={setSide}>
      {side === 'transfer' ? (
        <TransferForm agent={agent} wallet={wallet} trade={trade} />
      ) : (
        <TradeForm key={side} agent={agent} side={side} wallet={wallet} trade={trade} />
      )}
    </Tabs>
  )
}

function LaunchDesk({ agent, wallet, trade }: DeskProps) {
  if (agent.status !== 'active')
    return (
      <p className="desk-note">
        {agent.status === 'suspended'
          ? `The operator has suspended ${agent.displayName}, so its shares cannot be launched.`
          : `${agent.displayName} is not verified yet. Its shares can be launched once its owner has vouched for it.`}
      </p>
    )
  if (wallet?.address === agent.walletAddress)
    return (
      <>
        <p className="desk-note">This is your agent. Once you buy its first shares, anyone can trade them.</p>
        <TradeForm agent={agent} side="buy" wallet={wallet} trade={trade} />
      </>
    )
  return (
    <p className="desk-note">
      Not launched yet. Only the wallet that registered {agent.displayName} can buy its first share:{' '}
      <WalletLink address={agent.walletAddress} />
      {wallet && '. Connect that wallet to launch it.'}
    </p>
  )
}
