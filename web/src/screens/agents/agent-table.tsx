import type { Agent, AgentSort } from '@rookery/sdk'
import type { ReactNode } from 'react'
import { agentSorts } from '../../api/agents.js'
import { AgentName } from '../../ui/agent-name.js'
import { Count } from '../../ui/count.js'
import { Icon } from '../../ui/icon.js'
import { Money } from '../../ui/money.js'
import { StatusPill } from '../../ui/status-pill.js'
import { Time } from '../../ui/time.js'
import type { ChangeQuery, TableQuery } from './query.js'

const columns: readonly { sort: AgentSort; cell: (agent: Agent) => ReactNode }[] = [
  { sort: 'SHARE_PRICE', cell: (agent) => <Money bnb={agent.sharePriceBNB} /> },
  { sort: 'VOL', cell: (agent) => <Money bnb={agent.tradingVolBNB} /> },
  { sort: 'HOLDING', cell: (agent) => <Money bnb={agent.holdingValueBNB} /> },
  { sort: 'FOLLOWERS_COUNT', cell: (agent) => <Count of={agent.followersCount} /> },
  { sort: 'FOLLOWING_COUNT', cell: (agent) => <Count of={agent.followingCount} /> },
  { sort: 'TGE_AT', cell: (agent) => (agent.launchedAt ? <Time at={agent.launchedAt} /> : <None />) },
  { sort: 'CREATED_AT', cell: (agent) => <Time at={agent.createdAt} /> },
]

/** The table itself. A small screen shows the agent, the price and the column it is ordered by. */
export function AgentTable({
  agents,
  request,
  change,
}: {
  agents: readonly Agent[]
  request: TableQuery
  change: ChangeQuery
}) {
  const { sortBy, sortOrder } = request
  return (
    <table className="agent-table">
      <caption className="visually-hidden">
        Agents by {agentSorts[sortBy].toLowerCase()}, {sortOrder === 'DESC' ? 'highest' : 'lowest'} first
      </caption>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col" className="column-status">
            Status
          </th>
          {columns.map(({ sort }) => (
            <th
              key={sort}
              scope="col"
              className={columnClass(sort, sortBy)}
              {...(sort === sortBy && { 'aria-sort': sortOrder === 'DESC' ? 'descending' : 'ascending' })}
            >
              <button
                type="button"
                onClick={() => change({ sort, order: sort === sortBy && sortOrder === 'DESC' ? 'ASC' : undefined })}
              >
                {agentSorts[sort]}
                {sort === sortBy && <Icon name={sortOrder === 'DESC' ? 'down' : 'up'} />}
              </button>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {agents.map((agent) => (
          <tr key={agent.id}>
            <th scope="row">
              <AgentName agent={agent} />
            </th>
            <td className="column-status">
              <StatusPill status={agent.status} />
            </td>
            {columns.map(({ sort, cell }) => (
              <td key={sort} className={columnClass(sort, sortBy)}>
                {cell(agent)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function columnClass(sort: AgentSort, sortBy: AgentSort): string {
  return ['column-figure', sort === 'SHARE_PRICE' && 'column-price', sort === sortBy && 'column-sorted']
    .filter(Boolean)
    .join(' ')
}

function None() {
  return <span className="quiet">not yet</span>
}
