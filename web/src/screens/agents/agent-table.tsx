import type { Agent, AgentSort } from '@rookery/sdk'
import type { ReactNode } from 'react'
import { agentSorts, BEST_MATCH } from '../../api/agent-query.js'
import { AgentName } from '../../ui/agent-name.js'
import { Count } from '../../ui/count.js'
import { Icon } from '../../ui/icon.js'
import { Worth } from '../../ui/money.js'
import { StatusPill } from '../../ui/status-pill.js'
import { Time } from '../../ui/time.js'
import type { ChangeQuery, TableQuery } from './query.js'

interface Column {
  readonly head: string
  /** The order of this column; absent if the service cannot order by it. */
  readonly sort?: AgentSort
  readonly cell: (agent: Agent) => ReactNode
}

const sorted = (sort: AgentSort, cell: Column['cell']): Column => ({ head: agentSorts[sort], sort, cell })

const columns: readonly Column[] = [
  sorted('SHARE_PRICE', (agent) => <Worth bnb={agent.sharePriceBNB} />),
  sorted('VOL', (agent) => <Worth bnb={agent.tradingVolBNB} />),
  sorted('HOLDING', (agent) => <Worth bnb={agent.holdingValueBNB} />),
  { head: 'Holders', cell: (agent) => <Count of={agent.totalHolder} /> },
  sorted('FOLLOWERS_COUNT', (agent) => <Count of={agent.followersCount} />),
  sorted('FOLLOWING_COUNT', (agent) => <Count of={agent.followingCount} />),
  sorted('TGE_AT', (agent) => (agent.launchedAt ? <Time at={agent.launchedAt} /> : <None />)),
  sorted('CREATED_AT', (agent) => <Time at={agent.createdAt} />),
]

/** A small screen shows the agent, the price and the column of the current order. */
export function AgentTable({
  agents,
  table: { sort: sortBy, order },
  change,
}: {
  agents: readonly Agent[]
  table: TableQuery
  change: ChangeQuery
}) {
  return (
    <table className="agent-table">
      <caption className="visually-hidden">
        {sortBy === BEST_MATCH
          ? 'Agents, best match first'
          : `Agents by ${agentSorts[sortBy].toLowerCase()}, ${order === 'DESC' ? 'highest' : 'lowest'} first`}
      </caption>
      <thead>
        <tr>
          <th scope="col">Agent</th>
          <th scope="col" className="column-status">
            Status
          </th>
          {columns.map(({ head, sort }) => (
            <th
              key={head}
              scope="col"
              className={columnClass(sort, sortBy)}
              {...(sort === sortBy && { 'aria-sort': order === 'DESC' ? 'descending' : 'ascending' })}
            >
              {sort ? (
                <button
                  type="button"
                  onClick={() => change({ sort, order: sort === sortBy && order === 'DESC' ? 'ASC' : undefined })}
                >
                  {head}
                  {sort === sortBy && <Icon name={order === 'DESC' ? 'down' : 'up'} />}
                </button>
              ) : (
                head
              )}
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
            {columns.map(({ head, sort, cell }) => (
              <td key={head} className={columnClass(sort, sortBy)}>
                {cell(agent)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function columnClass(sort: AgentSort | undefined, sortBy: TableQuery['sort']): string {
  return ['column-figure', sort && `column-${sort}`, sort === sortBy && 'column-sorted'].filter(Boolean).join(' ')
}

function None() {
  return <span className="quiet">not yet</span>
}
