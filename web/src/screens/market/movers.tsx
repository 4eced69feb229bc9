import { useTrendingAgents } from '../../api/agents.js'
import { AgentName } from '../../ui/agent-name.js'
import { ListView } from '../../ui/list-view.js'
import { Money, Worth } from '../../ui/money.js'
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
              <li key={agent.id} className="mover">
                <AgentName agent={agent} />
                <Worth bnb={agent.sharePriceBNB} />
                <span className="mover-volume">
                  <Money bnb={agent.tradingVolBNB} /> traded
                </span>
              </li>
            ))}
          </ol>
        )}
      </ListView>
    </section>
  )
}
