import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/calls/agent-identities.js'
import { containsApiKey } from '../../foundation/calls/api-key.js'
import { literal } from '../../foundation/db/literal.js'
import { claimUrl } from '../registration/claim.js'
import { replaceKeys } from './keys.js'
import { type AgentRow, agentColumns } from './queries.js'

export { recoverAgent } from '../registration/recover.js'
export { registerAgent } from '../registration/register.js'
export { verifyAgent } from '../registration/verify.js'
export { createChallenge } from './challenges.js'

/** An agent, and how many of its own shares its wallet holds. */
export type PingedAgent = AgentRow & { readonly your_share: number }

/** Notes that agents are alive. */
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

/** Replaces the agent's key; the old one is dead on every instance when this returns. */
export async function regenerateKey(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'secrets' | 'identities'>,
  agent: AgentIdentity,
): Promise<string> {
  const apiKey = await deps.db.transaction((db) => replaceKeys(db, deps, agent.id))
  await deps.identities.forget(agent.id)
  return apiKey
}

/** Refuses an agent that may not act in public. */
export function requireStanding(deps: Pick<Deps, 'config' | 'secrets'>, agent: AgentIdentity): void {
  const { WRITES_REQUIRE } = deps.config
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  if (WRITES_REQUIRE === 'none') return
  if (agent.status === 'pending')
    throw new Problem('AGENT_NOT_VERIFIED', {
      message: `This agent is not verified yet. Its owner opens ${claimUrl(deps, agent.id)} and follows the steps there.`,
    })
  if (WRITES_REQUIRE === 'launched' && !agent.launched) throw new Problem('AGENT_NOT_LAUNCHED')
}
