import type { WalletActivity } from '@rookery/sdk'
import type { CursorList } from '../../api/cursor-list.js'
import { usePlatformConfig } from '../../api/platform.js'
import { Count } from '../../ui/count.js'
import { Icon } from '../../ui/icon.js'
import { ListView } from '../../ui/list-view.js'
import { Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { type Column, Table } from '../../ui/table.js'
import { Moment } from '../../ui/trade-table.js'
import { WalletName } from '../../ui/wallet-name.js'

const words: Readonly<Record<WalletActivity['action'], string>> = {
  bought: 'Bought',
  sold: 'Sold',
  sent: 'Sent',
  received: 'Received',
}

const columns: readonly Column<WalletActivity>[] = [
  {
    head: 'Action',
    cell: ({ action, shareAmount }) => (
      <span className={`side-${action}`}>
        {words[action]} <Count of={shareAmount} />
      </span>
    ),
  },
  { head: 'Agent', kind: 'name', cell: ({ subject }) => <WalletName wallet={subject} /> },
  {
    head: 'Counterparty',
    isWide: true,
    cell: ({ counterparty }) =>
      counterparty ? <WalletName wallet={counterparty} /> : <span className="quiet">the curve</span>,
  },
  {
    head: 'Amount',
    kind: 'figure',
    cell: ({ priceBNB }) => (priceBNB === null ? <span className="quiet">no payment</span> : <Worth bnb={priceBNB} />),
  },
  { head: 'When', kind: 'time', cell: (activity) => <Moment trade={activity} /> },
  {
    head: 'Transaction',
    kind: 'figure',
    isWide: true,
    cell: ({ transactionHash }) => <TransactionName hash={transactionHash} />,
  },
]

export function Activities({ list }: { list: CursorList<WalletActivity> }) {
  return (
    <ListView
      list={list}
      what="activities"
      rows={6}
      empty={
        <EmptyState title="No activity yet">
          <p>This wallet’s trades and transfers of shares appear here.</p>
        </EmptyState>
      }
    >
      {(activities) => (
        <Table
          className="activities"
          caption="Trades and transfers, newest first"
          columns={columns}
          rows={activities}
          keyOf={({ id, action }) => `${id} ${action}`}
        />
      )}
    </ListView>
  )
}

/** A transaction by its short hash, linked to the chain's explorer if there is one. */
function TransactionName({ hash }: { hash: string }) {
  const { data: config } = usePlatformConfig()
  const explorer = config?.chain?.explorerUrl
  const short = (
    <code title={hash}>
      {hash.slice(0, 8)}…{hash.slice(-4)}
    </code>
  )
  if (!explorer) return short
  return (
    <a href={`${explorer.replace(/\/$/, '')}/tx/${hash}`} rel="noopener noreferrer">
      {short} <Icon name="out" />
    </a>
  )
}
