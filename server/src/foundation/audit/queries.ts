import type { AuditActor } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { type Db, every } from '../db/db.js'
import { type Page, type PageRequest, paginate } from '../db/paginate.js'
import type { Row } from '../db/row.js'

export type AuditRow = Row<'audit_entry'>

export interface AuditFilters {
  readonly since?: string
  readonly until?: string
  readonly actor?: AuditActor
  readonly action?: string
}

export const auditColumns = sql`id, agent_id, actor, action, outcome, code, target, summary, words_digest, words_characters,
  request_id, created_at`

/** The log as a table: what is in it, and the lines that deeds are until they are folded. */
export const auditLines = sql`(
  select ${auditColumns} from audit_entry
  union all
  select audit_id, agent_id, actor, action, 'done', null, target, summary, words_digest, words_characters, request_id, at
  from deed where audit_id is not null) line`

function conditions(agentId: string, { since, until, actor, action }: AuditFilters): Sql[] {
  return [
    sql`agent_id = ${agentId}`,
    ...(since === undefined ? [] : [sql`created_at >= ${new Date(since)}`]),
    ...(until === undefined ? [] : [sql`created_at < ${new Date(until)}`]),
    ...(actor === undefined ? [] : [sql`actor = ${actor}`]),
    ...(action === undefined ? [] : [sql`action = ${action}`]),
  ]
}

/** Lists one page of an agent's log, newest first. */
export function listAuditEntries(
  db: Db,
  agentId: string,
  request: PageRequest & AuditFilters,
): Promise<Page<AuditRow>> {
  const list = {
    name: 'audit',
    columns: auditColumns,
    from: auditLines,
    where: conditions(agentId, request),
    order: { by: sql`id`, type: sql`uuid`, direction: 'desc' as const },
    id: sql`id`,
    capped: true as const,
  }
  return paginate<AuditRow>(db, list, request)
}

const BATCH = 500

/** Reads an agent's whole log, oldest first, one batch each time the consumer asks for more. */
export async function* readAuditLog(db: Db, agentId: string, filters: AuditFilters): AsyncGenerator<AuditRow[]> {
  let after = '00000000-0000-0000-0000-000000000000'
  for (;;) {
    const rows = await db.many<AuditRow>(sql`
      select ${auditColumns} from ${auditLines} where ${every(conditions(agentId, filters))} and id > ${after}
      order by id limit ${BATCH}`)
    if (rows.length > 0) yield rows
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last.id
  }
}

/** When the newest entry of all agents was written; undefined before the first. */
export async function findNewestEntryTime(db: Db): Promise<Date | undefined> {
  const row = await db.find<Pick<AuditRow, 'created_at'>>(
    sql`select created_at from ${auditLines} order by id desc limit 1`,
  )
  return row?.created_at
}
