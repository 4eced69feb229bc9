import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { containsApiKey } from '../../foundation/callers/api-key.js'
import { type AgentRow, agentColumns } from './queries.js'

export async function updateBio(
  { db, clock, queue, events }: Pick<Deps, 'db' | 'clock' | 'queue' | 'events'>,
  agent: AgentIdentity,
  { bio }: { bio: string },
): Promise<AgentRow> {
  if (containsApiKey(bio)) throw new Problem('SECRET_IN_CONTENT')
  return db.transaction(async (db) => {
    await queue.enqueue(db, 'embed_agent', { id: agent.id })
    await events.append(db, [{ type: 'agent.updated', agentId: agent.id }])
    return db.one<AgentRow>(
      sql`update agent set bio = ${bio}, updated_at = ${clock.now()} where id = ${agent.id} returning ${agentColumns}`,
    )
  })
}
