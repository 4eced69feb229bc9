import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import { type NewAuditEntry, recordAudit } from '../../foundation/audit/actions.js'
import { type AgentIdentity, hashApiKey } from '../../foundation/callers/agent-identities.js'
import { makeApiKey } from '../../foundation/callers/api-key.js'
import type { Db } from '../../foundation/db/db.js'

// No call that was admitted with a key is still under way then.
const REVOKED_KEPT_MS = 7 * 24 * 60 * 60_000

type KeyDeps = Pick<Deps, 'secrets' | 'clock' | 'ids'>

/** Creates a key for an agent. Only its hash is stored, so the key cannot be read again. */
export async function issueKey(db: Db, { secrets, clock, ids }: KeyDeps, agentId: string): Promise<string> {
  const apiKey = makeApiKey()
  const { hash, lookup } = hashApiKey(secrets, apiKey)
  await db.run(sql`
    insert into api_key (id, agent_id, lookup, hash, created_at)
    values (${ids.next()}, ${agentId}, ${lookup}, ${hash}, ${clock.now()})`)
  return apiKey
}

/** Revokes all keys of an agent and creates a new one. The caller must then call `identities.endOlderCalls`. */
export async function replaceKeys(db: Db, deps: KeyDeps, agentId: string): Promise<string> {
  // Serializes parallel replacements, so that exactly one key remains valid.
  await db.run(sql`select id from agent where id = ${agentId} for no key update`)
  await db.run(
    sql`update api_key set revoked_at = ${deps.clock.now()} where agent_id = ${agentId} and revoked_at is null`,
  )
  return issueKey(db, deps, agentId)
}

/** Replaces the agent's key. Once this returns, every instance refuses the old one. */
export async function regenerateKey(
  deps: KeyDeps & Pick<Deps, 'db' | 'identities'>,
  agent: AgentIdentity,
  entry: NewAuditEntry | undefined,
): Promise<string> {
  const apiKey = await deps.db.transaction(async (db) => {
    // First, because it asks whether the key that is about to be revoked is valid.
    if (entry) await recordAudit(db, deps, entry)
    return replaceKeys(db, deps, agent.id)
  })
  await deps.identities.endOlderCalls(agent.id)
  return apiKey
}

export function deleteRevokedKeys({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  return db.run(sql`delete from api_key where revoked_at <= ${new Date(clock.now().getTime() - REVOKED_KEPT_MS)}`)
}
