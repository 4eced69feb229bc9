import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Tables } from '../../foundation/db/row.js'
import { type AgentRow, agentColumns } from '../agents/queries.js'

/** An agent, and when it was muted or blocked. */
export type HiddenRow = AgentRow & { readonly hidden_at: Tables['agent_hidden']['created_at'] }

/** Lists the agents that an agent mutes or blocks, newest first. */
export function listHidden(
  db: Db,
  agentId: string,
  reason: 'muted' | 'blocked',
  request: PageRequest,
): Promise<Page<HiddenRow>> {
  return paginate<HiddenRow>(
    db,
    {
      name: reason,
      columns: sql`${agentColumns}, agent_hidden.created_at as hidden_at`,
      from: sql`agent_hidden join agent on agent.id = agent_hidden.other_id`,
      where: [sql`agent_hidden.agent_id = ${agentId}`, sql`agent_hidden.reason = ${reason}`],
      order: { by: sql`agent_hidden.created_at`, type: sql`timestamptz`, direction: 'desc' },
      id: sql`agent_hidden.other_id`,
    },
    request,
  )
}
