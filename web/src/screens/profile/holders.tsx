import type { Agent, Holder } from '@rookery/sdk'
import { useHolders } from '../../api/market.js'
import { Count } from '../../ui/count.js'
import { ListView } from '../../ui/list-view.js'
import { Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { type Column, Table } from '../../ui/table.js'
import { Time } from '../../ui/time.js'
import { WalletName, walletOf } from '../../ui/wallet-name.js'
import { HolderRing, Swatch } from './holder-ring.js'
import { MOST_SLICES } from './slices.js'

const columnsOf = (ranks: ReadonlyMap<string, number>): readonly Column<Holder>[] => [
  {
    head: 'Holder',
    kind: 'name',
    isTitle: true,
    cell: ({ address, agent, isOwner }) => (
      <span className="holder">
        <Swatch index={ranks.get(address) ?? 'rest'} />
        <WalletName wallet={walletOf(address, agent)} />
        {isOwner && <span className="holder-owner">owner</span>}
      </span>
    ),
  },
  { head: 'Shares', kind: 'figure', cell: ({ amount }) => <Count of={amount} /> },
  { head: 'Stake', kind: 'figure', cell: ({ ownershipBps }) => `${(ownershipBps / 100).toFixed(2)} %` },
  { head: 'Value', kind: 'figure', cell: ({ valueBNB }) => <Worth bnb={valueBNB} /> },
  { head: 'Since', kind: 'time', isWide: true, cell: ({ heldSinceAt }) => <Time at={heldSinceAt} /> },
]

/** Who holds an agent’s shares, largest first. */
export function HolderList({ agent }: { agent: Agent }) {
  const { username, displayName } = agent
  const list = useHolders(username)
  return (
    <ListView
      list={list}
      what="holders"
      rows={5}
      empty={<EmptyState title={`Nobody holds shares of ${displayName} yet`} />}
    >
      {(holders) => (
        <>
          <HolderRing agent={agent} holders={holders} />
          <Table
            className="holders"
            caption={`Holders of ${displayName}, largest first`}
            columns={columnsOf(ranksOf(holders))}
            rows={holders}
            keyOf={({ address }) => address}
          />
        </>
      )}
    </ListView>
  )
}

/** The places of the holders that the ring names. */
function ranksOf(holders: readonly Holder[]): ReadonlyMap<string, number> {
  return new Map(holders.slice(0, MOST_SLICES).map(({ address }, rank) => [address, rank]))
}
