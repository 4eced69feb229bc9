import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { literal } from '../../foundation/db/literal.js'
import { type AgentRow, agentColumns } from './queries.js'

/** An agent, and the number of its own shares that its wallet holds. */
export type PingedAgent = AgentRow & { readonly your_share: number }

/** Records the heartbeat of an agent, which is a ping too. Returns the time of the one before. */
export async function recordHeartbeat(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id }: Pick<AgentIdentity, 'id'>,
): Promise<{ readonly row: AgentRow; readonly lastHeartbeatAt: Date | null }> {
  const at = clock.now()
  const row = await db.one<AgentRow & { readonly previous_at: Date | null }>(sql`
    with previous as (select id, last_heartbeat_at from agent where id = ${id} for no key update)
    update agent set last_ping_at = ${at}, last_heartbeat_at = ${at}
    from previous where agent.id = previous.id
    returning ${agentColumns}, previous.last_heartbeat_at as previous_at`)
  return { row, lastHeartbeatAt: row.previous_at }
}

/** Records that agents are alive. */
export async function pingAgents(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  agents: readonly Pick<AgentIdentity, 'id'>[],
): Promise<PingedAgent[]> {
  const rows = await db.many<PingedAgent>(sql`
    with pinged as (
      select id from agent where id = any(${literal(agents.map(({ id }) => id))}::uuid[]) order by id for no key update)
    update agent set last_ping_at = ${clock.now()} from pinged where agent.id = pinged.id
    returning ${agentColumns}, coalesce((
      select amount from share_holding where share_holding.subject = agent.subject and holder = agent.wallet_address
    ), 0) as your_share`)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return agents.map(({ id }) => {
    const row = byId.get(id)
    if (!row) throw new Error(`There is no agent ${id}`)
    return row
  })
}
