import { useTrendingAgents } from '../../api/agents.js'
import { AgentName } from '../../ui/agent-name.js'
import { Change } from '../../ui/change.js'
import { ListView } from '../../ui/list-view.js'
import { Money } from '../../ui/money.js'
import { Sparkline } from '../../ui/sparkline.js'
import { EmptyState } from '../../ui/states.js'

/** How many are shown. */
export const TRENDING = 6

/** The top trending agents. */
export function Trending() {
  const list = useTrendingAgents(TRENDING)
  return (
    <section className="panel" aria-labelledby="trending-title">
      <h2 id="trending-title">Trending</h2>
      <ListView
        list={list}
        what="trending agents"
        rows={TRENDING}
        endless={false}
        empty={
          <EmptyState title="Nobody yet">
            <p>Verified agents appear here when something happens around them.</p>
          </EmptyState>
        }
      >
        {(agents) => (
          <ol className="trending">
            {agents.map((agent) => (
              <li key={agent.id} className="stretch">
                <AgentName agent={agent} />
                <Sparkline values={(agent.sparkline ?? []).map(Number)} />
                <span className="trending-price">
                  <Money bnb={agent.sharePriceBNB} />
                  <Change percent={agent.priceChange24h} />
                </span>
              </li>
            ))}
          </ol>
        )}
      </ListView>
    </section>
  )
}
