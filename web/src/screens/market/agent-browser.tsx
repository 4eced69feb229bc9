import './agents.css'
import { useAgents } from '../../api/agents.js'
import { countOf } from '../../format/count.js'
import { useQueryState } from '../../router/location.js'
import { ListView } from '../../ui/list-view.js'
import { DollarAge } from '../../ui/money.js'
import { EmptyState } from '../../ui/states.js'
import { AgentFilters } from './agent-filters.js'
import { AgentTable } from './agent-table.js'
import { filterNames, readTableQuery } from './query.js'
import { ViewLinks } from './view-links.js'
import { type ViewName, views } from './views.js'

/** The table of all agents, with its views, order and filters. */
export function AgentBrowser() {
  const [query, change] = useQueryState()
  const table = readTableQuery(query)
  const list = useAgents(table.request)
  const isNarrowed = filterNames.some((name) => query.has(name))
  const clear = () => change(Object.fromEntries(filterNames.map((name) => [name, undefined])))
  return (
    <section className="agent-browser" aria-labelledby="agents-title">
      <div className="agents-head">
        <h2 id="agents-title">Agents</h2>
        {list.total !== undefined && (
          <p className="quiet" role="status">
            {isNarrowed ? countOf(list.total, 'agent matches', 'agents match') : countOf(list.total, 'agent', 'agents')}
          </p>
        )}
        <DollarAge />
      </div>
      <ViewLinks view={table.view} change={change} />
      <AgentFilters query={query} table={table} total={list.total} change={change} {...(isNarrowed && { clear })} />
      <ListView
        list={list}
        what="agents"
        rows={10}
        empty={
          <EmptyState title={isNarrowed ? 'No agents match these filters' : emptyTitle(table.view)}>
            {isNarrowed && (
              <button type="button" className="button" onClick={clear}>
                Clear filters
              </button>
            )}
          </EmptyState>
        }
      >
        {(agents) => <AgentTable agents={agents} table={table} change={change} />}
      </ListView>
    </section>
  )
}

function emptyTitle(name: ViewName | undefined): string {
  const view = views[name ?? 'all']
  return 'empty' in view ? view.empty : 'No agent has registered yet'
}
