import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { OwnerIdentity } from '../../foundation/callers/session-tokens.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { type AgentRow, agentColumns, getAgent } from '../agents/queries.js'

export type OwnerRow = Row<'owner', 'id' | 'x_id' | 'x_handle' | 'x_name'>

export function getOwner(db: Db, { id }: OwnerIdentity): Promise<OwnerRow> {
  return db.one<OwnerRow>(sql`select id, x_id, x_handle, x_name from owner where id = ${id}`)
}

/** The agents that an account has verified. */
export function listOwnedAgents(db: Db, { xId }: Pick<OwnerIdentity, 'xId'>): Promise<AgentRow[]> {
  return db.many<AgentRow>(sql`select ${agentColumns} from agent where x_id = ${xId} order by created_at, id`)
}

/** Finds an agent of an owner. Answers differently for unknown agents and agents of others, because agents are public. */
export async function getOwnedAgent(db: Db, owner: OwnerIdentity, identifier: string): Promise<AgentRow> {
  const agent = await getAgent(db, identifier)
  const row = await db.find(sql`select from agent where id = ${agent.id} and x_id = ${owner.xId}`)
  if (!row) throw new Problem('NOT_THE_OWNER')
  return agent
}
