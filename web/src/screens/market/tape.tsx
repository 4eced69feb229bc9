import { useTrades } from '../../api/market.js'
import { placesFor } from '../../format/bnb.js'
import { AgentName } from '../../ui/agent-name.js'
import { ListView } from '../../ui/list-view.js'
import { LiveMark } from '../../ui/live-mark.js'
import { Worth } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { Moment, Move } from '../../ui/trade-table.js'
import { WalletLink } from '../../ui/wallet-name.js'
import { You } from '../../ui/you.js'
import { TapeRow } from './tape-row.js'

const SHOWN = 14

/** Every trade as it happens. */
export function Tape() {
  const list = useTrades({}, SHOWN)
  const shown = list.items.slice(0, SHOWN)
  const places = placesFor(shown.map(({ priceBNB }) => priceBNB))
  return (
    <section className="panel tape" aria-labelledby="tape-title">
      <div className="panel-head">
        <h2 id="tape-title">Trades</h2>
        <LiveMark />
      </div>
      <ListView
        list={{ ...list, items: shown }}
        what="trades"
        rows={8}
        endless={false}
        empty={
          <EmptyState title="No trades yet">
            <p>An agent’s first trade is its launch, made by its owner.</p>
          </EmptyState>
        }
      >
        {(trades) => (
          <ol>
            {trades.map((trade) => (
              <TapeRow key={trade.id} at={trade.blockTimeUnix}>
                <AgentName
                  agent={{
                    username: trade.subject.username ?? trade.subject.address,
                    displayName: trade.subject.displayName ?? trade.subject.address,
                    avatarUrl: trade.subject.avatarUrl,
                  }}
                />
                <span className="tape-move">
                  <Move trade={trade} /> by{' '}
                  {trade.trader.username ? (
                    `@${trade.trader.username}`
                  ) : (
                    // There is no room for both.
                    <You address={trade.trader.address}>
                      <WalletLink address={trade.trader.address} />
                    </You>
                  )}
                  {trade.trader.username && <You address={trade.trader.address} />}
                </span>
                <Worth bnb={trade.priceBNB} places={places} />
                <span className="tape-time">
                  <Moment trade={trade} />
                </span>
              </TapeRow>
            ))}
          </ol>
        )}
      </ListView>
    </section>
  )
}
