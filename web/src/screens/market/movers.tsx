import { useTrendingAgents } from '../../api/agents.js'
import { AgentName } from '../../ui/agent-name.js'
import { Change } from '../../ui/change.js'
import { ListView } from '../../ui/list-view.js'
import { Money, Worth } from '../../ui/money.js'
import { Sparkline } from '../../ui/sparkline.js'
import { EmptyState } from '../../ui/states.js'

const SHOWN = 8

/** Trending agents, side by side. */
export function Movers() {
  const list = useTrendingAgents(SHOWN)
  return (
    <section className="movers" aria-labelledby="movers-title">
      <h2 id="movers-title">Trending</h2>
      <ListView
        list={list}
        what="trending agents"
        rows={1}
        endless={false}
        empty={<EmptyState title="Nothing is trending yet" />}
      >
        {(agents) => (
          <ol>
            {agents.map((agent) => (
              <li key={agent.id} className="mover stretch">
                <AgentName agent={agent} />
                <span className="mover-line">
                  <Worth bnb={agent.sharePriceBNB} />
                  <Sparkline values={(agent.sparkline ?? []).map(Number)} />
                </span>
                <span className="mover-line mover-note">
                  <span>
                    Worth <Money bnb={agent.marketValueBNB} />
                  </span>
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
