import type { WalletActivity } from '@rookery/sdk'
import type { CursorList } from '../../api/cursor-list.js'
import { usePlatformConfig } from '../../api/platform.js'
import { Count } from '../../ui/count.js'
import { Icon } from '../../ui/icon.js'
import { ListView } from '../../ui/list-view.js'
import { Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { Moment } from '../../ui/trade-table.js'
import { WalletName } from '../../ui/wallet-name.js'

const words: Readonly<Record<WalletActivity['action'], string>> = {
  bought: 'Bought',
  sold: 'Sold',
  sent: 'Sent',
  received: 'Received',
}

/** What a wallet bought, sold, sent and received. */
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
        <table className="rows activities">
          <caption className="visually-hidden">Trades and transfers, newest first</caption>
          <thead>
            <tr>
              <th scope="col">Action</th>
              <th scope="col">Agent</th>
              <th scope="col" className="wide-cell">
                Counterparty
              </th>
              <th scope="col" className="figure-cell">
                Amount
              </th>
              <th scope="col" className="figure-cell">
                When
              </th>
              <th scope="col" className="figure-cell wide-cell">
                Transaction
              </th>
            </tr>
          </thead>
          <tbody>
            {activities.map((it) => (
              <tr key={`${it.id} ${it.action}`}>
                <td>
                  <span className={`side-${it.action}`}>
                    {words[it.action]} <Count of={it.shareAmount} />
                  </span>
                </td>
                <td className="name-cell">
                  <WalletName wallet={it.subject} />
                </td>
                <td className="wide-cell">
                  {it.counterparty ? <WalletName wallet={it.counterparty} /> : <span className="quiet">the curve</span>}
                </td>
                <td className="figure-cell">
                  {it.bnbAmount === null ? <span className="quiet">no payment</span> : <Worth bnb={it.bnbAmount} />}
                </td>
                <td className="figure-cell time-cell">
                  <Moment trade={it} />
                </td>
                <td className="figure-cell wide-cell">
                  <TransactionName hash={it.transactionHash} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ListView>
  )
}

/** A transaction by its short hash, leading to the explorer of the chain where there is one. */
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
