import type { WalletHolding } from '@rookery/sdk'
import type { ReactNode } from 'react'
import type { CursorList } from '../../api/cursor-list.js'
import { AgentName } from '../../ui/agent-name.js'
import { Change } from '../../ui/change.js'
import { Count } from '../../ui/count.js'
import { ListView } from '../../ui/list-view.js'
import { Gain, Money, Worth } from '../../ui/money.js'
import { Sparkline } from '../../ui/sparkline.js'
import { type Column, Table } from '../../ui/table.js'

const columns: readonly Column<WalletHolding>[] = [
  { head: 'Agent', kind: 'name', isTitle: true, cell: (holding) => <AgentName agent={holding} /> },
  {
    head: 'Last 24 hours',
    kind: 'figure',
    isWide: true,
    cell: ({ change24hPercent, recentPrices }) => (
      <span className="position-day">
        <Sparkline values={recentPrices.map(Number)} /> <Change percent={change24hPercent} />
      </span>
    ),
  },
  { head: 'Shares', kind: 'figure', cell: ({ amount }) => <Count of={amount} /> },
  {
    head: 'Value',
    kind: 'figure',
    cell: ({ valueBNB, change24hPercent }) => (
      <>
        <Worth bnb={valueBNB} />
        {change24hPercent !== null && (
          <span className="narrow-only">
            <Change percent={change24hPercent} />
          </span>
        )}
      </>
    ),
  },
  { head: 'Average cost', kind: 'figure', isWide: true, cell: ({ averageCostBNB }) => <Money bnb={averageCostBNB} /> },
  {
    head: 'Open profit',
    kind: 'figure',
    cell: ({ openProfitBNB, costBasisBNB }) => (
      <span className="position-profit">
        <Gain bnb={openProfitBNB} /> <Change percent={percentOf(openProfitBNB, costBasisBNB)} />
      </span>
    ),
  },
  { head: 'Realised', kind: 'figure', isWide: true, cell: ({ realisedProfitBNB }) => <Gain bnb={realisedProfitBNB} /> },
]

// Shares that cost nothing have no percentage.
function percentOf(part: string, whole: string): number | null {
  return Number(whole) === 0 ? null : (Number(part) / Number(whole)) * 100
}

/** The shares of a wallet, with gains and losses. */
export function Holdings({ list, empty }: { list: CursorList<WalletHolding>; empty: ReactNode }) {
  return (
    <ListView list={list} what="holdings" rows={5} empty={empty}>
      {(holdings) => (
        <Table
          className="holdings"
          caption="Shares held, most valuable first"
          columns={columns}
          rows={holdings}
          keyOf={({ agentId }) => agentId}
        />
      )}
    </ListView>
  )
}
