import type { Recovery } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { type NewAuditEntry, recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import type { Row } from '../../foundation/db/row.js'
import { findPauseEnd } from './objections.js'

export type RecoveryRow = Row<'recovery'>

const DAY_MS = 24 * 60 * 60_000
const HOUR_MS = 60 * 60_000
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

/** Finds the open recovery of an agent and locks it until the transaction ends. One that has expired is ended. */
export async function lockOpenRecovery(db: Db, now: Date, agentId: string): Promise<RecoveryRow | undefined> {
  const row = await db.find<RecoveryRow>(
    sql`select * from recovery where agent_id = ${agentId} and ended_at is null for update`,
  )
  if (!row || row.expires_at > now) return row
  await endRecovery(db, now, row.id, { status: 'expired', by: 'system' })
  return undefined
}

/**
 * Whether others may still be using the agent, so that they have to hear of a new key before it replaces theirs: it has an
 * owner and a key, and it was seen in the last day.
 */
export async function isInUse(db: Db, agentId: string, now: Date): Promise<boolean> {
  const since = new Date(now.getTime() - DAY_MS)
  const { used } = await db.one<{ used: boolean }>(sql`
    select x_id is not null and exists (select from api_key where agent_id = agent.id and revoked_at is null)
      and (coalesce(last_ping_at > ${since}, false) or exists (
      select from audit_entry where agent_id = agent.id and actor = 'agent' and id >= ${idAt(since)})) as used
    from agent where id = ${agentId}`)
  return used
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
  { clock, ids, config }: Pick<Deps, 'clock' | 'ids' | 'config'>,
  agentId: string,
): Promise<RecoveryRow> {
  const now = clock.now()
  const readyAt = new Date(now.getTime() + config.RECOVERY_WAIT_HOURS * HOUR_MS)
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

/** Informs the agent of a recovery, and its owner by the audit log. */
export async function reportRecovery(
  db: Db,
  deps: Pick<Deps, 'clock' | 'ids' | 'events'>,
  row: RecoveryRow,
  event: 'recovery.requested' | 'recovery.ended',
  entry?: Omit<NewAuditEntry, 'agentId'>,
): Promise<void> {
  if (entry) await recordAudit(db, deps, { agentId: row.agent_id, ...entry })
  const data = recoveryView(row, deps.clock.now())
  await deps.events.append(db, [{ type: event, recipientId: row.agent_id, data }])
}
