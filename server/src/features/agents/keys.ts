import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type AgentIdentity, hashApiKey } from '../../foundation/callers/agent-identities.js'
import { makeApiKey } from '../../foundation/callers/api-key.js'
import type { Db } from '../../foundation/db/db.js'

type KeyDeps = Pick<Deps, 'secrets' | 'clock' | 'ids'>

/** Makes a key for an agent. The key itself is returned once and kept nowhere. */
export async function issueKey(db: Db, { secrets, clock, ids }: KeyDeps, agentId: string): Promise<string> {
  const apiKey = makeApiKey()
  const { hash, lookup } = hashApiKey(secrets, apiKey)
  await db.run(sql`
    insert into api_key (id, agent_id, lookup, hash, created_at)
    values (${ids.next()}, ${agentId}, ${lookup}, ${hash}, ${clock.now()})`)
  return apiKey
}

/** Ends all keys of an agent and makes a new one. The caller then lets `identities` forget the agent. */
export async function replaceKeys(db: Db, deps: KeyDeps, agentId: string): Promise<string> {
  // Parallel replacements wait for each other here, so that one key is left in the end.
  await db.run(sql`select id from agent where id = ${agentId} for no key update`)
  await db.run(
    sql`update api_key set revoked_at = ${deps.clock.now()} where agent_id = ${agentId} and revoked_at is null`,
  )
  return issueKey(db, deps, agentId)
}

/** Replaces the agent's key; the old one is refused on every instance when this returns. */
export async function regenerateKey(
  deps: KeyDeps & Pick<Deps, 'db' | 'identities'>,
  agent: AgentIdentity,
): Promise<string> {
  const apiKey = await deps.db.transaction((db) => replaceKeys(db, deps, agent.id))
  await deps.identities.forget(agent.id)
  return apiKey
}
