import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import { isModeratorWallet } from '../../foundation/callers/moderators.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { holdName } from '../../foundation/held-names.js'
import { listInstances } from '../../foundation/peers/instances.js'
import { setSuspended } from '../agents/suspend.js'
import { releasedUsername } from '../agents/username.js'
import { type SettleProgress, settleAgent } from '../moderation/settle-agent.js'
import { ERASURES } from './audit-steps.js'
import { insertErasure } from './erasures.js'
import type { AgentSought, OwnerSought, Sought, WalletSought } from './sought.js'

export type EraseCommandDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'config' | 'events' | 'queue' | 'secrets' | 'identities' | 'sessionTokens' | 'peers'
>

/** For how long nobody else gets the username of an erased agent. */
const HELD_MS = 365 * 24 * 60 * 60_000

/** Refuses while a process of another version serves, which does not know that an agent can be erased. */
export async function requireSameVersion(deps: Pick<Deps, 'db' | 'peers' | 'config'>): Promise<void> {
  const others = (await listInstances(deps)).filter(
    ({ isAlive, version }) => isAlive && version !== null && version !== deps.config.version,
  )
  if (others.length > 0)
    throw Problem.at('instances', `must all be of version ${deps.config.version}: finish the upgrade first`)
}

/** Erases what was found: the immediate part now, in one transaction, and the rest by a job. Returns the id of the erasure. */
export async function erase(deps: EraseCommandDeps, sought: Sought): Promise<string> {
  await requireSameVersion(deps)
  if (sought.kind === 'agent') return eraseAgent(deps, sought)
  return sought.kind === 'owner' ? eraseOwner(deps, sought) : eraseWallet(deps, sought)
}

/** Makes the keys die, the names go and what it wrote disappear, everywhere at once. */
async function eraseAgent(deps: EraseCommandDeps, sought: AgentSought): Promise<string> {
  const { clock } = deps
  const { id } = sought
  const erasureId = await deps.db.transaction(async (db) => {
    const now = clock.now()
    const agent = await db.find(sql`select from agent where id = ${id} and erased_at is null for no key update`)
    if (!agent) throw new Problem('AGENT_NOT_FOUND')
    const erasureId = await insertErasure(db, deps, sought)
    await holdName(db, deps, `username ${sought.username}`, new Date(now.getTime() + HELD_MS))
    await db.run(sql`update api_key set revoked_at = ${now} where agent_id = ${id} and revoked_at is null`)
    await setSuspended(db, deps, id, true)
    await db.run(sql`
      update agent set username = ${releasedUsername(id)}, name = 'erased', display_name = 'Erased', bio = '', avatar_url = null,
        x_username = null, x_id = null, x_owner_handle = null, x_owner_name = null, x_followers_count = null,
        x_following_count = null, labels = '{}', last_ping_at = null, last_heartbeat_at = null, erased_at = ${now},
        version = version + 1
      where id = ${id}`)
    await settleAgent(db, deps, { agentId: id })
    await deps.events.append(db, [{ type: 'agent.updated', agentId: id }])
    await recordErasure(db, deps, 'agent', id)
    return erasureId
  })
  await deps.identities.endOlderCalls(id)
  // What a suspension leaves to the background: nothing of it may be seen when the command ends.
  for (let progress: SettleProgress | undefined = { agentId: id }; progress; ) {
    const last: SettleProgress = progress
    progress = await deps.db.transaction((db) => settleAgent(db, deps, last))
  }
  return erasureId
}

/** Ends the sessions of an owner and takes their account off the agents that stay. */
async function eraseOwner(deps: EraseCommandDeps, sought: OwnerSought): Promise<string> {
  const { erasureId, sessions } = await deps.db.transaction(async (db) => {
    const erasureId = await insertErasure(db, deps, sought)
    const sessions = await endSessions(db, deps, sql`owner_id = ${sought.id}::uuid`)
    if (sought.id !== null)
      await db.run(sql`
        update owner set x_id = 'erased:' || id, x_handle = 'erased', x_name = 'Erased' where id = ${sought.id}`)
    await db.run(sql`
      update agent set x_id = null, x_username = null, x_owner_handle = null, x_owner_name = null, x_followers_count = null,
        x_following_count = null, updated_at = ${deps.clock.now()} where id = any(${sought.agentIds}::uuid[])`)
    await deps.events.append(
      db,
      sought.agentIds.map((agentId) => ({ type: 'agent.updated' as const, agentId })),
    )
    for (const agentId of sought.agentIds) await recordErasure(db, deps, 'owner', agentId)
    return { erasureId, sessions }
  })
  await deps.sessionTokens.announceEnd(sessions)
  return erasureId
}

/** Ends the sessions of a wallet. */
async function eraseWallet(deps: EraseCommandDeps, sought: WalletSought): Promise<string> {
  const { erasureId, sessions } = await deps.db.transaction(async (db) => {
    const erasureId = await insertErasure(db, deps, sought)
    return { erasureId, sessions: await endSessions(db, deps, sql`wallet_address = ${sought.wallet}`) }
  })
  await deps.sessionTokens.announceEnd(sessions)
  return erasureId
}

async function endSessions(
  db: Db,
  { clock }: Pick<Deps, 'clock'>,
  condition: ReturnType<typeof sql>,
): Promise<string[]> {
  const ended = await db.many<Row<'owner_session', 'id'>>(sql`
    update owner_session set ended_at = ${clock.now()} where ended_at is null and ${condition} returning id`)
  return ended.map(({ id }) => id)
}

function recordErasure(db: Db, deps: EraseCommandDeps, kind: keyof typeof ERASURES, agentId: string): Promise<void> {
  const summary = kind === 'agent' ? 'Erased the agent' : 'Erased the owner of the agent'
  return recordAudit(db, deps, { agentId, actor: 'operator', action: ERASURES[kind], summary })
}

/** What stands against an erasure, in sentences for the operator. */
export async function findObstacles(deps: EraseCommandDeps, sought: Sought): Promise<string[]> {
  if (sought.kind === 'wallet')
    return (await isModeratorWallet(deps, sought.wallet))
      ? ['The wallet moderates: remove it first (`moderators remove`, or MODERATOR_WALLETS).']
      : []
  if (sought.kind === 'agent') return []
  const frozen = await deps.db.many<Row<'agent', 'username'>>(sql`
    select username from agent join agent_control on agent_control.agent_id = agent.id
    where agent.id = any(${sought.agentIds}::uuid[]) and frozen_at is not null order by 1`)
  return frozen.map(
    ({ username }) =>
      `@${username} is frozen, and would be free without its owner: erase it too (--with-agents), or unfreeze it.`,
  )
}
