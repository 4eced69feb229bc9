import type { Agent } from '@rookery/sdk'
import { useMutation } from '@tanstack/react-query'
import { prepareFeeClaim, useFeeClaims, useFees } from '../../api/fees.js'
import { usePlatformConfig } from '../../api/platform.js'
import { Address } from '../../ui/address.js'
import { Fact } from '../../ui/facts.js'
import { FormFailure } from '../../ui/form-failure.js'
import { ListView } from '../../ui/list-view.js'
import { Money } from '../../ui/money.js'
import { EmptyState, ErrorState, Skeleton } from '../../ui/states.js'
import { Time } from '../../ui/time.js'
import type { MarketChain, Wallet } from '../../wallet/provider.js'
import { useWallet } from '../../wallet/wallet.js'
import { WalletPanel } from '../../wallet/wallet-panel.js'
import { WrongNetwork } from '../../wallet/wrong-network.js'
import { TradeProgressView } from '../profile/ticket/trade-progress.js'
import { useTrade } from '../profile/ticket/use-trade.js'
import { Earnings } from './earnings.js'
import { FeeFacts } from './fee-facts.js'

/** What trades of the agent's shares earned, and the button that collects it. */
export function Fees({ agent }: { agent: Agent }) {
  const { data: fees, error, isPending, refetch } = useFees(agent.username)
  if (isPending) return <Skeleton rows={4} label="Loading the fees" />
  if (!fees) return <ErrorState error={error} retry={() => void refetch()} />
  return (
    <>
      <section className="panel owner-fees" aria-labelledby="fees-title">
        <h2 id="fees-title">Earnings</h2>
        <p className="quiet">5 % of every trade of its shares. They wait in the contract until they are collected.</p>
        <FeeFacts fees={fees}>
          <Fact name="Earned since the launch">
            <Money bnb={fees.earnedBNB} />
          </Fact>
        </FeeFacts>
        <Collect agent={agent} hasFees={fees.claimableWei !== '0'} />
      </section>
      <Earnings days={fees.byDay} />
      <Claims username={agent.username} />
    </>
  )
}

function Collect({ agent, hasFees }: { agent: Agent; hasFees: boolean }) {
  const { data: config } = usePlatformConfig()
  if (!config) return null
  const { chain } = config
  if (!chain) return <p className="quiet">This service has no chain, so nothing can be collected here.</p>
  return (
    <>
      <p>
        A claim pays the agent’s wallet <Address address={agent.walletAddress} what="the wallet address" />, whichever
        wallet signs it and pays the gas.
      </p>
      <WalletPanel chain={chain} hasFaucet={config.features.faucet} />
      <CollectDesk agent={agent} chain={chain} hasFees={hasFees} />
    </>
  )
}

function CollectDesk({ agent, chain, hasFees }: { agent: Agent; chain: MarketChain; hasFees: boolean }) {
  const wallet = useWallet()
  const trade = useTrade()
  const collect = useMutation({
    mutationFn: async (wallet: Wallet) => trade.start(wallet, await prepareFeeClaim(agent.username, wallet.address)),
  })
  if (trade.progress)
    return (
      <TradeProgressView
        progress={trade.progress}
        done="Done. The fees are in the agent’s wallet."
        back="Back to the fees"
        onClear={trade.clear}
      />
    )
  if (wallet && wallet.chainId !== chain.id) return <WrongNetwork wallet={wallet} chain={chain} />
  const isReady = wallet !== undefined && hasFees && !collect.isPending
  return (
    <>
      {!hasFees && <p className="quiet">Nothing waits to be collected.</p>}
      {wallet && (
        <button
          type="button"
          className="button button-main"
          aria-disabled={!isReady}
          onClick={() => isReady && collect.mutate(wallet)}
        >
          {collect.isPending ? 'Preparing…' : 'Collect'}
        </button>
      )}
      {collect.error && <FormFailure error={collect.error} />}
    </>
  )
}

function Claims({ username }: { username: string }) {
  const list = useFeeClaims(username)
  return (
    <section className="panel" aria-labelledby="fee-claims-title">
      <h2 id="fee-claims-title">Collected</h2>
      <ListView list={list} what="claims" rows={2} empty={<EmptyState title="Nothing has been collected yet" />}>
        {(claims) => (
          <ul className="owner-lines">
            {claims.map(({ id, amountBNB, blockTimeUnix, receiver }) => (
              <li key={id}>
                <p>
                  <Money bnb={amountBNB} /> <Time at={new Date(blockTimeUnix * 1000).toISOString()} />, to{' '}
                  <Address address={receiver} what="the receiver" />
                </p>
              </li>
            ))}
          </ul>
        )}
      </ListView>
    </section>
  )
}
