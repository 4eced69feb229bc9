import type { WalletHolding } from '@rookery/sdk'
import type { CursorList } from '../../api/cursor-list.js'
import { AgentName } from '../../ui/agent-name.js'
import { Count } from '../../ui/count.js'
import { ListView } from '../../ui/list-view.js'
import { Gain, Money, Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'

/** The shares of a wallet and what has become of them. */
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
        <table className="rows holdings">
          <caption className="visually-hidden">Shares held, most valuable first</caption>
          <thead>
            <tr>
              <th scope="col">Agent</th>
              <th scope="col" className="figure-cell">
                Shares
              </th>
              <th scope="col" className="figure-cell">
                Value
              </th>
              <th scope="col" className="figure-cell wide-cell">
                Price
              </th>
              <th scope="col" className="figure-cell wide-cell">
                Cost
              </th>
              <th scope="col" className="figure-cell">
                Open profit
              </th>
              <th scope="col" className="figure-cell wide-cell">
                Realised
              </th>
            </tr>
          </thead>
          <tbody>
            {holdings.map((holding) => (
              <tr key={holding.agentId}>
                <th scope="row" className="name-cell">
                  <AgentName agent={holding} />
                </th>
                <td className="figure-cell">
                  <Count of={holding.balance} />
                </td>
                <td className="figure-cell">
                  <Worth bnb={holding.valueBNB} />
                </td>
                <td className="figure-cell wide-cell">
                  <Money bnb={holding.currentPrice} />
                </td>
                <td className="figure-cell wide-cell">
                  <Money bnb={holding.costBasisBNB} />
                </td>
                <td className="figure-cell">
                  <Gain bnb={holding.openProfitBNB} />
                </td>
                <td className="figure-cell wide-cell">
                  <Gain bnb={holding.realisedProfitBNB} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </ListView>
  )
}
