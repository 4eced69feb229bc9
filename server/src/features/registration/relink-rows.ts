import type { Relink } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

export type RelinkRow = Row<'relink'>

export function relinkView(row: RelinkRow, now: Date): Relink {
  return {
    id: row.id,
    agentId: row.agent_id,
    status: statusAt(row, now),
    xUsername: row.x_username,
    oldXUsername: row.old_x_username,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    endedBy: row.ended_by,
  }
}

/** The job that makes a move ready, and later expires it, may be late. */
function statusAt({ status, ready_at, expires_at, ended_at }: RelinkRow, now: Date): Relink['status'] {
  if (ended_at === null && expires_at <= now) return 'expired'
  return status === 'waiting' && ready_at <= now ? 'ready' : status
}

/** Finds the last move of an agent to another account, open or ended. */
export function findLastRelink(db: Db, agentId: string): Promise<RelinkRow | undefined> {
  return db.find<RelinkRow>(sql`select * from relink where agent_id = ${agentId} order by id desc limit 1`)
}

/** Finds the open move of an agent and locks it until the transaction ends. */
export async function lockOpenRelink(db: Db, agentId: string): Promise<RelinkRow> {
  const row = await db.find<RelinkRow>(
    sql`select * from relink where agent_id = ${agentId} and ended_at is null for update`,
  )
  if (!row) throw new Problem('RELINK_NOT_FOUND')
  return row
}

type ChangeDeps = Pick<Deps, 'clock' | 'ids' | 'events'>

/** What happened to a move, for the audit log, which the owner reads, and for the agent's events. */
export interface RelinkChange {
  readonly event: 'relink.requested' | 'relink.ready' | 'relink.ended'
  readonly actor: 'owner' | 'system'
  readonly action: string
  readonly summary: string
  readonly requestId?: string
}

/** Records a change of a move and informs the agent. */
export async function reportRelink(
  db: Db,
  deps: ChangeDeps,
  row: RelinkRow,
  { event, ...entry }: RelinkChange,
): Promise<void> {
  await recordAudit(db, deps, { agentId: row.agent_id, target: row.id, ...entry })
  await deps.events.append(db, [{ type: event, recipientId: row.agent_id, data: relinkView(row, deps.clock.now()) }])
}

/** Ends a move that the caller has locked. */
export function endRelink(
  db: Db,
  { clock }: ChangeDeps,
  id: string,
  { status, by }: { status: 'completed' | 'cancelled' | 'expired'; by: 'wallet' | 'owner' | 'system' },
): Promise<RelinkRow> {
  return db.one<RelinkRow>(sql`
    update relink set status = ${status}, ended_at = ${clock.now()}, ended_by = ${by} where id = ${id} returning *`)
}

/** Ends a locked move whose time is over. */
export async function expireRelink(db: Db, deps: ChangeDeps, { id, x_username }: RelinkRow): Promise<void> {
  const expired = await endRelink(db, deps, id, { status: 'expired', by: 'system' })
  const summary = `The move to @${x_username} expired`
  await reportRelink(db, deps, expired, { event: 'relink.ended', actor: 'system', action: 'expireRelink', summary })
}
