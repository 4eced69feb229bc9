import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import { type AgentRow, agentColumns, getAgent } from './queries.js'

type SuspendDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'identities'>

/** Makes the server refuse all writes of an agent, on the operator's order. */
export function suspendAgent(deps: SuspendDeps, username: string): Promise<AgentRow> {
  return setSuspended(deps, username, true)
}

/** Lifts a suspension. An agent that was never verified is pending again. */
export function unsuspendAgent(deps: SuspendDeps, username: string): Promise<AgentRow> {
  return setSuspended(deps, username, false)
}

async function setSuspended(deps: SuspendDeps, username: string, isSuspended: boolean): Promise<AgentRow> {
  const { id, status } = await getAgent(deps.db, username)
  const changed = await deps.db.transaction(async (db) => {
    const row = await db.one<AgentRow>(sql`
      update agent set updated_at = ${deps.clock.now()}, status = case when ${isSuspended} then 'suspended'
        when status = 'suspended' then case when verified_at is null then 'pending' else 'active' end else status end
      where id = ${id} returning ${agentColumns}`)
    if (row.status !== status)
      await recordAudit(db, deps, {
        agentId: id,
        actor: 'operator',
        action: isSuspended ? 'suspendAgent' : 'unsuspendAgent',
        summary: isSuspended ? 'Suspended the agent' : 'Lifted the suspension',
      })
    return row
  })
  await deps.identities.forget(id)
  return changed
}
