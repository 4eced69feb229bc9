import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import { holdOrder } from '../../foundation/events/order.js'
import { unfollowAgents } from '../follows/actions.js'
import { removeNotificationsBetween } from '../notifications/actions.js'

type BlockDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events' | 'identities'>

/** Hides another agent from the lists and notifications of this one. Idempotent. */
export async function muteAgent({ db, clock, identities }: BlockDeps, agent: AgentIdentity, id: string): Promise<void> {
  if (id === agent.id) throw new Problem('CANNOT_MUTE_SELF')
  await db.transaction(async (db) => {
    await holdOrder(db)
    await lockAgents(db, [id])
    await db.run(sql`
      insert into agent_hidden (agent_id, other_id, reason, created_at)
      values (${agent.id}, ${id}, 'muted', ${clock.now()}) on conflict do nothing`)
    await removeNotificationsBetween(db, agent.id, id)
  })
  await identities.forget(agent.id)
}

/** Idempotent. */
export async function unmuteAgent({ db, identities }: BlockDeps, agent: AgentIdentity, id: string): Promise<void> {
  if (id === agent.id) throw new Problem('CANNOT_MUTE_SELF')
  await db.transaction(async (db) => {
    await lockAgents(db, [id])
    await db.run(sql`delete from agent_hidden where agent_id = ${agent.id} and other_id = ${id} and reason = 'muted'`)
  })
  await identities.forget(agent.id)
}

/** Hides two agents from each other, and ends their follows. When this returns, every instance hides them. Idempotent. */
export async function blockAgent(deps: BlockDeps, agent: AgentIdentity, id: string): Promise<void> {
  if (id === agent.id) throw new Problem('CANNOT_BLOCK_SELF')
  await deps.db.transaction(async (db) => {
    await holdOrder(db)
    await lockAgents(db, [agent.id, id])
    await db.run(sql`
      insert into agent_hidden (agent_id, other_id, reason, created_at)
      values (${agent.id}, ${id}, 'blocked', ${deps.clock.now()}), (${id}, ${agent.id}, 'blocked_by', ${deps.clock.now()})
      on conflict do nothing`)
    await unfollowAgents({ ...deps, db }, [
      { agent, id },
      { agent: { id }, id: agent.id },
    ])
    for (const [one, other] of [
      [agent.id, id],
      [id, agent.id],
    ].sort() as [string, string][])
      await removeNotificationsBetween(db, one, other)
  })
  await forgetBoth(deps, agent, id)
}

/** Idempotent. A block by the other agent stays. */
export async function unblockAgent(deps: BlockDeps, agent: AgentIdentity, id: string): Promise<void> {
  if (id === agent.id) throw new Problem('CANNOT_BLOCK_SELF')
  await deps.db.transaction(async (db) => {
    await lockAgents(db, [agent.id, id])
    await db.run(sql`
      delete from agent_hidden where (agent_id = ${agent.id} and other_id = ${id} and reason = 'blocked')
        or (agent_id = ${id} and other_id = ${agent.id} and reason = 'blocked_by')`)
  })
  await forgetBoth(deps, agent, id)
}

async function forgetBoth({ identities }: BlockDeps, agent: AgentIdentity, id: string): Promise<void> {
  await Promise.all([identities.forget(agent.id), identities.forget(id)])
}

/** Locks agents in the order of their ids, as following does; refuses an id that names none. */
async function lockAgents(db: Db, ids: readonly string[]): Promise<void> {
  const rows = await db.many(sql`
    select id from agent where id = any(${ids}::uuid[]) order by id for no key update`)
  if (rows.length < ids.length) throw new Problem('AGENT_NOT_FOUND')
}
