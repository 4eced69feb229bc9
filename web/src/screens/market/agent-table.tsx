import type { Agent, AgentSort } from '@rookery/sdk'
import { agentSorts, BEST_MATCH } from '../../api/agent-query.js'
import { AgentName } from '../../ui/agent-name.js'
import { Icon } from '../../ui/icon.js'
import { TableScroll } from '../../ui/table-scroll.js'
import { agentColumns } from './agent-columns.js'
import type { ChangeQuery, TableQuery } from './query.js'

/** Shows the usual columns and that of the current order. The name's link covers the whole row. */
export function AgentTable({
  agents,
  table: { sort: sortBy, order },
  change,
}: {
  agents: readonly Agent[]
  table: TableQuery
  change: ChangeQuery
}) {
  const columns = agentColumns(agents)
  const caption =
    sortBy === BEST_MATCH
      ? 'Agents, best match first'
      : `Agents by ${agentSorts[sortBy].toLowerCase()}, ${order === 'DESC' ? 'highest' : 'lowest'} first`
  return (
    <TableScroll label={caption}>
      <table className="agent-table">
        <caption className="visually-hidden">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Agent</th>
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
                    onClick={() =>
                      change({ view: undefined, sort, order: sort === sortBy && order === 'DESC' ? 'ASC' : undefined })
                    }
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
            <tr key={agent.id} className="stretch">
              <th scope="row">
                <AgentName agent={agent} />
              </th>
              {columns.map(({ head, sort, cell }) => (
                <td key={head} className={columnClass(sort, sortBy)}>
                  {cell(agent)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroll>
  )
}

function columnClass(sort: AgentSort | undefined, sortBy: TableQuery['sort']): string {
  return ['column-figure', sort && `column-${sort}`, sort === sortBy && 'column-sorted'].filter(Boolean).join(' ')
}
