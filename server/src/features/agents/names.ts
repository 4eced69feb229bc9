import { MAX_PAGE_DEPTH } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { type Db, every } from '../../foundation/db/db.js'
import { type List, type Page, type PageRequest, paginate, totalView } from '../../foundation/db/paginate.js'
import type { Row } from '../../foundation/db/row.js'
import { hasName, matchOrder } from './name-conditions.js'
import { type AgentRow, agentColumns } from './queries.js'

/**
 * Lists the agents whose username or display name contains a name: those that have exactly this name, then those that begin
 * with it, then all others; in each of the three groups the most followed first. `where` has conditions on `agent`.
 */
export function listNamed(db: Db, name: string, where: readonly Sql[], request: PageRequest): Promise<Page<AgentRow>> {
  const list: List = {
    name: 'agents:named',
    ...namedAgents(name, where),
    columns: sql`named.agent_id`,
    id: sql`named.agent_id`,
    order: { by: matchOrder(name), type: sql`bigint`, direction: 'desc' },
    capped: true,
    around: { columns: sql`, ${agentColumns}`, joins: sql`left join agent on agent.id = page.agent_id` },
  }
  return paginate<AgentRow>(db, list, request)
}

/** Finds the ids of some agents whose username or display name contains a name. */
export async function findNamedIds(db: Db, name: string, most: number): Promise<string[]> {
  const rows = await db.many<Row<'agent_name', 'agent_id'>>(
    sql`select named.agent_id from agent_name named where ${hasName(sql`named`, name)} limit ${most}`,
  )
  return rows.map(({ agent_id }) => agent_id)
}

/** Counts what `listNamed` lists, as far as that counts. */
export async function countNamed(db: Db, name: string, where: readonly Sql[]) {
  const { from, where: conditions } = namedAgents(name, where)
  const { total } = await db.one<{ total: number }>(sql`
    select count(*)::int as total from (select from ${from} where ${every(conditions)} limit ${MAX_PAGE_DEPTH}) counted`)
  return totalView(total, MAX_PAGE_DEPTH)
}

// Few agents are, and an index knows them, so that the narrow tables stay enough.
const isNotSuspended = sql`named.agent_id not in (select id from agent suspended where status = 'suspended')`

function namedAgents(name: string, where: readonly Sql[]): Pick<List, 'from' | 'where'> {
  const ordered = sql`agent_name named join agent_order on agent_order.agent_id = named.agent_id`
  return {
    // The narrow tables are enough unless there are filters.
    from: where.length === 0 ? ordered : sql`${ordered} join agent on agent.id = named.agent_id`,
    where: [hasName(sql`named`, name), isNotSuspended, ...where],
  }
}
