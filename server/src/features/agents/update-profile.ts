import sql, { join } from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { type AgentRow, agentColumns } from './queries.js'

/** What an agent may change about itself; what is left out stays. */
export interface ProfileChange {
  readonly displayName?: string
  readonly bio?: string
  /** The social account that will post the code; fixed once it has. */
  readonly xUsername?: string
}

export async function updateProfile(
  { db, clock, queue, events }: Pick<Deps, 'db' | 'clock' | 'queue' | 'events'>,
  agent: AgentIdentity,
  { displayName, bio, xUsername }: ProfileChange,
): Promise<AgentRow> {
  const name = displayName?.trim()
  if (name === '') throw Problem.at('displayName', 'must not be blank')
  const changes = [
    ...(name === undefined ? [] : [sql`display_name = ${name}`]),
    ...(bio === undefined ? [] : [sql`bio = ${bio}`]),
    ...(xUsername === undefined ? [] : [sql`x_username = ${xUsername.replace(/^@/, '')}`]),
  ]
  if (changes.length === 0) throw Problem.at('displayName', 'is required, or bio or xUsername')
  const isPossible = xUsername === undefined ? sql`true` : sql`verified_at is null`
  return db.transaction(async (db) => {
    const row = await db.find<AgentRow>(sql`
      update agent set ${join(changes)}, updated_at = ${clock.now()}, version = version + 1
      where id = ${agent.id} and ${isPossible}
      returning ${agentColumns}`)
    if (!row) throw new Problem('ALREADY_VERIFIED')
    await queue.enqueue(db, 'embed_agent', { id: agent.id })
    await events.append(db, [{ type: 'agent.updated', agentId: agent.id }])
    return row
  })
}
