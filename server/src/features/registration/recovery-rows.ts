import type { Recovery } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { type NewAuditEntry, recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { findPauseEnd } from './objections.js'

export type RecoveryRow = Row<'recovery'>

const DAY_MS = 24 * 60 * 60_000
/** How long the wallet has time to take its key after the waiting time, and how long its owner sees what happened. */
export const READY_MS = 7 * DAY_MS

export function recoveryView(row: RecoveryRow, now: Date): Recovery {
  return {
    id: row.id,
    agentId: row.agent_id,
    status: row.status === 'waiting' && row.expires_at <= now ? 'expired' : row.status,
    createdAt: row.created_at.toISOString(),
    readyAt: row.ready_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    endedAt: row.ended_at?.toISOString() ?? null,
    endedBy: row.ended_by,
  }
}

/** Finds the last recovery of an agent while it is open or its owner should know of it. */
export function findShownRecovery(db: Db, agentId: string, now: Date): Promise<RecoveryRow | undefined> {
  return db.find<RecoveryRow>(sql`
    select * from recovery
    where agent_id = ${agentId} and coalesce(ended_at, expires_at) > ${new Date(now.getTime() - READY_MS)}
    order by id desc limit 1`)
}

/** Finds the recovery that an agent should do something about: one that waits, or one that it has not read of. */
export function findUnsettledRecovery(db: Db, agentId: string, now: Date): Promise<RecoveryRow | undefined> {
  return db.find<RecoveryRow>(sql`
    select * from recovery
    where agent_id = ${agentId} and (status = 'waiting' and expires_at > ${now} or status = 'completed' and exists (
      select from notification where notification.agent_id = recovery.agent_id and type = 'RECOVERY_REQUESTED'
        and cause_id = recovery.id and not is_read))
    order by id desc limit 1`)
}

/** Finds the open recovery of an agent and locks it until the transaction ends. One that has expired is ended. */
export async function lockOpenRecovery(db: Db, now: Date, agentId: string): Promise<RecoveryRow | undefined> {
  const row = await db.find<RecoveryRow>(
    sql`select * from recovery where agent_id = ${agentId} and ended_at is null for update`,
  )
  if (!row || row.expires_at > now) return row
  await endRecovery(db, now, row.id, { status: 'expired', by: 'system' })
  return undefined
}

/** Whether the agent's owner has new keys wait. */
export async function hasRecoveryWait(db: Db, agentId: string): Promise<boolean> {
  const rules = await db.find<Row<'agent_control', 'recovery_waits'>>(
    sql`select recovery_waits from agent_control where agent_id = ${agentId}`,
  )
  return rules?.recovery_waits ?? false
}

/** Refuses a wallet whose last wish was objected to, for longer each time. */
export async function requireNoObjection(db: Db, now: Date, agentId: string): Promise<void> {
  const objections = await db.many<{ at: Date }>(sql`
    select ended_at as at from recovery
    where agent_id = ${agentId} and status = 'cancelled' and ended_by in ('owner', 'agent') order by id desc limit 20`)
  const until = findPauseEnd(objections, now)
  if (until)
    throw new Problem('RECOVERY_REFUSED', {
      retryAfterSeconds: Math.ceil((until.getTime() - now.getTime()) / 1000),
      message: `The agent or its owner objected to a new key. The wallet alone can ask again at ${until.toISOString()}; its owner, logged in, can replace the key now.`,
    })
}

export function insertRecovery(
  db: Db,
  { clock, ids }: Pick<Deps, 'clock' | 'ids'>,
  agentId: string,
  { waits }: { readonly waits: boolean },
): Promise<RecoveryRow> {
  const now = clock.now()
  const readyAt = new Date(now.getTime() + (waits ? DAY_MS : 0))
  return db.one<RecoveryRow>(sql`
    insert into recovery (id, agent_id, created_at, ready_at, expires_at)
    values (${ids.next()}, ${agentId}, ${now}, ${readyAt}, ${new Date(readyAt.getTime() + READY_MS)}) returning *`)
}

/** Ends a recovery that the caller has locked. */
export function endRecovery(
  db: Db,
  now: Date,
  id: string,
  { status, by }: { status: 'completed' | 'cancelled' | 'expired'; by: 'wallet' | 'owner' | 'agent' | 'system' },
): Promise<RecoveryRow> {
  return db.one<RecoveryRow>(sql`
    update recovery set status = ${status}, ended_at = ${now}, ended_by = ${by} where id = ${id} returning *`)
}

/** Informs the agent of a recovery, and its owner by the audit log and, of what the wallet did, on their browsers. */
export async function reportRecovery(
  db: Db,
  deps: Pick<Deps, 'clock' | 'ids' | 'events' | 'queue'>,
  row: RecoveryRow,
  event: 'recovery.requested' | 'recovery.ended',
  entry: Omit<NewAuditEntry, 'agentId'>,
): Promise<void> {
  await recordAudit(db, deps, { agentId: row.agent_id, ...entry })
  const data = recoveryView(row, deps.clock.now())
  await deps.events.append(db, [{ type: event, recipientId: row.agent_id, data }])
  if (row.status !== 'cancelled') await deps.queue.enqueue(db, 'push_recovery', { recoveryId: row.id })
}
