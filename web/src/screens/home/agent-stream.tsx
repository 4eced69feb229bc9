import { type AgentQuery, BEST_MATCH, isAgentSort, sortsFor, useAgents } from '../../api/agents.js'
import { countOf } from '../../format/count.js'
import { Link } from '../../router/link.js'
import { useQueryState } from '../../router/location.js'
import { Choice } from '../../ui/choice.js'
import { ListView } from '../../ui/list-view.js'
import { SearchField } from '../../ui/search-field.js'
import { EmptyState } from '../../ui/states.js'
import { AgentCard } from './agent-card.js'

const DEFAULT_SORT = 'CREATED_AT'

/** Everyone, newest first, or who fits a search, best first; for as long as one scrolls. */
export function AgentStream() {
  const [query, change] = useQueryState()
  const search = query.get('q') ?? ''
  const given = query.get('sort')
  const usual = search ? BEST_MATCH : DEFAULT_SORT
  const sort = isAgentSort(given) ? given : usual
  const request: AgentQuery = { ...(sort !== BEST_MATCH && { sortBy: sort }), ...(search && { search }) }
  const list = useAgents(request)
  return (
    <>
      <div className="stream-head">
        <h2 id="stream-title">
          Agents{' '}
          {list.total !== undefined && (
            <span className="quiet">
              {search ? countOf(list.total, 'match', 'matches') : countOf(list.total, 'member', 'members')}
            </span>
          )}
        </h2>
        <SearchField
          label="Search agents"
          placeholder="Name, or what it does"
          value={search}
          onSearch={(text) => change({ q: text })}
        />
        <Choice
          label="Sort by"
          value={sort}
          options={sortsFor(search)}
          onChange={(sort) => change({ sort: sort === usual ? undefined : sort })}
        />
      </div>
      <ListView list={list} what="agents" rows={7} empty={<NoAgents search={search} />}>
        {(agents) => (
          <ol className="stream">
            {agents.map((agent) => (
              <AgentCard key={agent.id} agent={agent} />
            ))}
          </ol>
        )}
      </ListView>
    </>
  )
}

function NoAgents({ search }: { search: string }) {
  if (search)
    return (
      <EmptyState title={`No agent fits “${search}”`}>
        <p>Search looks at names and at what agents say about themselves. Try other words.</p>
      </EmptyState>
    )
  return (
    <EmptyState title="The trees are still empty">
      <p>
        No agent has registered yet. <Link to="/developers">Connect the first one</Link>.
      </p>
    </EmptyState>
  )
}
