import sql from 'sql-template-tag'
import type { SocialPost } from '../../adapters/social/social-network.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { violatedConstraint } from '../../foundation/db/db.js'
import type { Again } from '../../foundation/jobs/worker.js'
import type { AgentRow } from '../agents/queries.js'
import { relinkCode } from './relink.js'
import { endRelink, expireRelink, findLastRelink, lockOpenRelink, type RelinkRow, reportRelink } from './relink-rows.js'
import { getVerificationPost } from './verification-post.js'

type CompleteDeps = Pick<
  Deps,
  'db' | 'clock' | 'ids' | 'config' | 'secrets' | 'social' | 'limiter' | 'identities' | 'events'
>

/** Links the new account after the waiting time, by its post. Owners of the old account lose the agent with that. */
export async function completeRelink(
  deps: CompleteDeps,
  agent: AgentRow,
  { tweetUrl, address }: { readonly tweetUrl?: string; readonly address: string },
): Promise<RelinkRow> {
  if (agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
  const open = await findLastRelink(deps.db, agent.id)
  if (!open || open.ended_at !== null) throw new Problem('RELINK_NOT_FOUND')
  requireReady(deps, open)
  const code = relinkCode(deps, open)
  const rules = { agentId: agent.id, code, handle: open.x_username, isMove: true, network: address }
  const post = await getVerificationPost(deps, rules, tweetUrl)
  const row = await link(deps, agent, open, post).catch((error: unknown) => {
    if (violatedConstraint(error) === 'agent_x_id_key') throw new Problem('SOCIAL_ACCOUNT_ALREADY_LINKED')
    throw error
  })
  await deps.identities.forget(agent.id)
  return row
}

function requireReady({ clock }: Pick<Deps, 'clock'>, { ready_at, expires_at }: RelinkRow): void {
  if (expires_at <= clock.now()) throw new Problem('RELINK_NOT_FOUND')
  if (ready_at > clock.now())
    throw new Problem('RELINK_WAITING', {
      message: `The waiting time ends at ${ready_at.toISOString()}. Try again then.`,
    })
}

function link(deps: CompleteDeps, agent: AgentRow, open: RelinkRow, { author }: SocialPost): Promise<RelinkRow> {
  return deps.db.transaction(async (db) => {
    // It may have been cancelled since.
    if ((await lockOpenRelink(db, agent.id)).id !== open.id) throw new Problem('RELINK_NOT_FOUND')
    const linked = await db.run(sql`
      update agent set x_id = ${author.id}, x_username = ${author.handle}, x_owner_handle = ${author.handle},
        x_owner_name = ${author.name}, x_followers_count = ${author.followersCount},
        x_following_count = ${author.followingCount}, updated_at = ${deps.clock.now()}
      where id = ${agent.id} and status <> 'suspended'`)
    if (linked === 0) throw new Problem('AGENT_SUSPENDED')
    const row = await endRelink(db, deps, open.id, { status: 'completed', by: 'wallet' })
    const summary = `Moved the agent from @${row.old_x_username} to @${author.handle}`
    await reportRelink(db, deps, row, { event: 'relink.ended', actor: 'owner', action: 'completeRelink', summary })
    await deps.events.append(db, [{ type: 'agent.updated', agentId: agent.id }])
    return row
  })
}

/** Stops the move of an agent at the wish of the owner of its present account. */
export function objectToRelink(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>,
  agent: AgentRow,
  { requestId }: { readonly requestId: string },
): Promise<RelinkRow> {
  return deps.db.transaction(async (db) => {
    const open = await lockOpenRelink(db, agent.id)
    const row = await endRelink(db, deps, open.id, { status: 'cancelled', by: 'owner' })
    const summary = `Stopped the move to @${row.x_username}`
    const entry = { actor: 'owner', action: 'objectToRelink', summary, requestId } as const
    await reportRelink(db, deps, row, { event: 'relink.ended', ...entry })
    return row
  })
}

/** Makes a move ready when its waiting time has ended, and later expires it. */
export function advanceRelink(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'events'>,
  id: string,
): Promise<Again | undefined> {
  return deps.db.transaction(async (db) => {
    const row = await db.find<RelinkRow>(sql`select * from relink where id = ${id} and ended_at is null for update`)
    if (!row) return undefined
    const now = deps.clock.now()
    if (row.ready_at > now) return { again: row.ready_at }
    if (row.expires_at <= now) {
      await expireRelink(db, deps, row)
      return undefined
    }
    if (row.status === 'waiting') {
      await db.run(sql`update relink set status = 'ready' where id = ${id}`)
      const summary = `The waiting time is over: a post of @${row.x_username} with the code now moves the agent`
      const change = { event: 'relink.ready', actor: 'system', action: 'readyRelink', summary } as const
      await reportRelink(db, deps, { ...row, status: 'ready' }, change)
    }
    return { again: row.expires_at }
  })
}
