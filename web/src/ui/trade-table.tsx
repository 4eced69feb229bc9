import type { Trade } from '@rookery/sdk'
import { useState } from 'react'
import { Count } from './count.js'
import { Money, Worth } from './money.js'
import { Time } from './time.js'
import { TradeStatusMark } from './trade-status.js'
import { WalletName } from './wallet-name.js'

/** Trades in rows, newest first. Those that come while one looks on are marked for a moment. */
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
    <table className="rows trade-table">
      <caption className="visually-hidden">{label}</caption>
      <thead>
        <tr>
          {withSubject && <th scope="col">Agent</th>}
          <th scope="col">Trader</th>
          <th scope="col">Trade</th>
          <th scope="col" className="figure-cell">
            Amount
          </th>
          <th scope="col" className="figure-cell wide-cell">
            Price after
          </th>
          <th scope="col" className="figure-cell">
            When
          </th>
        </tr>
      </thead>
      <tbody>
        {trades.map((trade) => (
          <tr key={trade.id} className={trade.blockTimestamp * 1000 > openedAt ? 'row-new' : undefined}>
            {withSubject && (
              <td className="name-cell">
                <WalletName wallet={trade.subject} />
              </td>
            )}
            <td className="name-cell">
              <WalletName wallet={trade.trader} />
            </td>
            <td>
              <Move trade={trade} />
            </td>
            <td className="figure-cell">
              <Worth bnb={trade.bnbAmount} />
            </td>
            <td className="figure-cell wide-cell">
              <Money bnb={trade.priceCurrent} />
            </td>
            <td className="figure-cell time-cell">
              <Moment trade={trade} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** What was bought or sold, in a few signs. */
export function Move({ trade: { action, shareAmount } }: { trade: Pick<Trade, 'action' | 'shareAmount'> }) {
  return (
    <span className={`side-${action}`}>
      {action === 'bought' ? 'Bought' : 'Sold'} <Count of={shareAmount} />
    </span>
  )
}

/** When a trade was made and, until nothing can undo it, how settled it is. */
export function Moment({ trade: { blockTimestamp, status } }: { trade: Pick<Trade, 'blockTimestamp' | 'status'> }) {
  return (
    <>
      <Time at={new Date(blockTimestamp * 1000).toISOString()} />
      {status !== 'final' && (
        <>
          <br />
          <TradeStatusMark status={status} />
        </>
      )}
    </>
  )
}
