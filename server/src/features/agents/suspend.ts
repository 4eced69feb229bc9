import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { type AgentRow, agentColumns } from './queries.js'

/**
 * Makes the server refuse all writes of an agent, or lifts that; an agent that was never verified is pending again. The
 * caller lets the identities forget the agent after the commit.
 */
export function setSuspended(
  db: Db,
  { clock }: { readonly clock: Clock },
  agentId: string,
  isSuspended: boolean,
): Promise<AgentRow> {
  return db.one<AgentRow>(sql`
    update agent set version = version + 1, updated_at = ${clock.now()}, status = case when ${isSuspended} or erased_at is not null then 'suspended'
      when status = 'suspended' then case when verified_at is null then 'pending' else 'active' end else status end
    where id = ${agentId} returning ${agentColumns}`)
}
