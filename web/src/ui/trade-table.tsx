import type { Trade } from '@rookery/sdk'
import { useState } from 'react'
import { Count } from './count.js'
import { type Column, Table } from './table.js'
import { Time } from './time.js'
import { TradeStatusMark } from './trade-status.js'
import { WalletName } from './wallet-name.js'

const columns: readonly Column<Trade>[] = [
  { head: 'Trader', kind: 'name', cell: ({ trader }) => <WalletName wallet={trader} /> },
  { head: 'Trade', cell: (trade) => <Move trade={trade} /> },
  { head: 'Amount', kind: 'figure', amount: ({ priceBNB }) => priceBNB },
  { head: 'Price after', kind: 'figure', isWide: true, amount: ({ sharePriceBNB }) => sharePriceBNB },
  { head: 'When', kind: 'time', cell: (trade) => <Moment trade={trade} /> },
]
const columnsWithSubject: readonly Column<Trade>[] = [
  { head: 'Agent', kind: 'name', cell: ({ subject }) => <WalletName wallet={subject} /> },
  ...columns,
]

/** Newest first. New trades are highlighted briefly. */
export function TradeTable({
  trades,
  label,
  withSubject = false,
}: {
  trades: readonly Trade[]
  label: string
  /** Whether the rows are about several agents. */
  withSubject?: boolean
}) {
  const [openedAt] = useState(Date.now)
  return (
    <Table
      className="trade-table"
      caption={label}
      columns={withSubject ? columnsWithSubject : columns}
      rows={trades}
      keyOf={({ id }) => id}
      rowClass={({ blockTimeUnix }) => (blockTimeUnix * 1000 > openedAt ? 'row-new' : undefined)}
    />
  )
}

/** What was bought or sold, in a few characters. */
export function Move({ trade: { action, shareAmount } }: { trade: Pick<Trade, 'action' | 'shareAmount'> }) {
  return (
    <span className={`side-${action}`}>
      {action === 'bought' ? 'Bought' : 'Sold'} <Count of={shareAmount} />
    </span>
  )
}

/** The time of a trade and, until it is final, its status. */
export function Moment({ trade: { blockTimeUnix, status } }: { trade: Pick<Trade, 'blockTimeUnix' | 'status'> }) {
  return (
    <>
      <Time at={new Date(blockTimeUnix * 1000).toISOString()} />
      {status !== 'final' && (
        <>
          {' '}
          <br />
          <TradeStatusMark status={status} />
        </>
      )}
    </>
  )
}
