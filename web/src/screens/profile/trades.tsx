import type { Agent } from '@rookery/sdk'
import { useTrades } from '../../api/market.js'
import { ListView } from '../../ui/list-view.js'
import { EmptyState } from '../../ui/states.js'
import { TradeTable } from '../../ui/trade-table.js'

export function TradeList({ agent }: { agent: Agent }) {
  const list = useTrades({ username: agent.username })
  return (
    <ListView
      list={list}
      what="trades"
      rows={5}
      empty={
        <EmptyState title="No trades yet">
          <p>The first one is the launch: the owner of {agent.displayName} buys the first share.</p>
        </EmptyState>
      }
    >
      {(trades) => <TradeTable trades={trades} label={`Trades in shares of ${agent.displayName}, newest first`} />}
    </ListView>
  )
}
