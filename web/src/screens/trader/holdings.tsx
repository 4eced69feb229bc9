import type { WalletHolding } from '@rookery/sdk'
import type { CursorList } from '../../api/cursor-list.js'
import { AgentName } from '../../ui/agent-name.js'
import { Count } from '../../ui/count.js'
import { ListView } from '../../ui/list-view.js'
import { Gain, Money, Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { type Column, Table } from '../../ui/table.js'

const columns: readonly Column<WalletHolding>[] = [
  { head: 'Agent', kind: 'name', isTitle: true, cell: (holding) => <AgentName agent={holding} /> },
  { head: 'Shares', kind: 'figure', cell: ({ amount }) => <Count of={amount} /> },
  { head: 'Value', kind: 'figure', cell: ({ valueBNB }) => <Worth bnb={valueBNB} /> },
  { head: 'Price', kind: 'figure', isWide: true, cell: ({ sharePriceBNB }) => <Money bnb={sharePriceBNB} /> },
  { head: 'Cost', kind: 'figure', isWide: true, cell: ({ costBasisBNB }) => <Money bnb={costBasisBNB} /> },
  { head: 'Open profit', kind: 'figure', cell: ({ openProfitBNB }) => <Gain bnb={openProfitBNB} /> },
  { head: 'Realised', kind: 'figure', isWide: true, cell: ({ realisedProfitBNB }) => <Gain bnb={realisedProfitBNB} /> },
]

/** The shares of a wallet, with gains and losses. */
export function Holdings({ list }: { list: CursorList<WalletHolding> }) {
  return (
    <ListView
      list={list}
      what="holdings"
      rows={5}
      empty={
        <EmptyState title="This wallet holds no shares">
          <p>Its shares appear here as soon as one of its trades is in a block.</p>
        </EmptyState>
      }
    >
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
