import type { BalanceRank, PositionRank } from '@rookery/sdk'
import { useBalanceRanks, usePositionRanks, useTraders } from '../../api/market.js'
import { placesFor } from '../../format/bnb.js'
import { countOf } from '../../format/count.js'
import { useQueryState } from '../../router/location.js'
import { AgentName } from '../../ui/agent-name.js'
import { Change } from '../../ui/change.js'
import { ListView } from '../../ui/list-view.js'
import { Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { type Tab, Tabs } from '../../ui/tabs.js'
import { WalletName, walletOf } from '../../ui/wallet-name.js'
import { You } from '../../ui/you.js'

const SHOWN = 10

const boards = [
  { name: 'positions', label: 'Positions' },
  { name: 'balance', label: 'Balance' },
  { name: 'traders', label: 'Traders' },
] as const satisfies readonly Tab<string>[]

type Board = (typeof boards)[number]['name']

/** The leaderboards by shares, balance and trades. */
export function Leaders() {
  const [query, change] = useQueryState()
  const board = boards.find(({ name }) => name === query.get('leaders'))?.name ?? 'positions'
  const views: Readonly<Record<Board, () => React.ReactNode>> = {
    positions: () => <Positions />,
    balance: () => <Balances />,
    traders: () => <Traders />,
  }
  return (
    <section className="panel leaders" aria-labelledby="leaders-title">
      <h2 id="leaders-title">Leaders</h2>
      <Tabs
        label="Leaders by"
        tabs={boards}
        selected={board}
        onSelect={(name) => change({ leaders: name === 'positions' ? undefined : name })}
      >
        {views[board]()}
      </Tabs>
    </section>
  )
}

function Positions() {
  const list = usePositionRanks(SHOWN)
  return (
    <ListView
      list={list}
      what="positions"
      rows={5}
      endless={false}
      empty={<EmptyState title="No agent holds shares yet" />}
    >
      {(ranks) => <Ranks ranks={ranks} amount={(rank) => rank.positionValueBNB} />}
    </ListView>
  )
}

function Balances() {
  const list = useBalanceRanks(SHOWN)
  return (
    <ListView list={list} what="balances" rows={5} endless={false} empty={<EmptyState title="No balances read yet" />}>
      {(ranks) => <Ranks ranks={ranks} amount={(rank) => rank.balanceBNB} />}
    </ListView>
  )
}

function Ranks<Rank extends (BalanceRank | PositionRank) & { readonly id: string }>({
  ranks,
  amount,
}: {
  ranks: readonly Rank[]
  amount: (rank: Rank) => string
}) {
  const places = placesFor(ranks.map(amount))
  return (
    <ol>
      {ranks.map((rank) => (
        <Ranked key={rank.id} rank={rank} bnb={amount(rank)} places={places} />
      ))}
    </ol>
  )
}

function Ranked({ rank, bnb, places }: { rank: BalanceRank | PositionRank; bnb: string; places: number }) {
  return (
    <li className="leader stretch">
      <span className="leader-rank">{rank.rank}</span>
      <span className="wallet-name">
        <AgentName agent={{ username: rank.agentUsername, displayName: rank.agentDisplayName, avatarUrl: null }} />
        <You address={rank.walletAddress} />
      </span>
      <Change percent={rank.priceChange24h} />
      <Worth bnb={bnb} places={places} />
    </li>
  )
}

function Traders() {
  const list = useTraders(SHOWN)
  return (
    <ListView list={list} what="traders" rows={5} endless={false} empty={<EmptyState title="Nobody has traded yet" />}>
      {(traders) => (
        <ol>
          {traders.map(({ id, address, agent, volumeBNB, totalTrades }, index) => (
            <li key={id} className="leader">
              <span className="leader-rank">{index + 1}</span>
              <span className="leader-name">
                <WalletName wallet={walletOf(address, agent)} />
                <span className="leader-note">{countOf(totalTrades, 'trade', 'trades')}</span>
              </span>
              <Worth bnb={volumeBNB} />
            </li>
          ))}
        </ol>
      )}
    </ListView>
  )
}
