import type { ModerationTargetType, ReportReason } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { Nullable, Prefixed, Row } from '../../foundation/db/row.js'
import type { Target } from './targets.js'

/** What an open appeal adds to the order of the queue: more than any number of reports, and a multiple of their weights. */
export const APPEAL_WEIGHT = 1_000_000

/** Finds or opens the case about a target, locked until the end of the transaction. Returns its id. */
export async function openCase(db: Db, { clock, ids }: Pick<Deps, 'clock' | 'ids'>, target: Target): Promise<string> {
  const now = clock.now()
  const { id } = await db.one<Row<'moderation_case', 'id'>>(sql`
    insert into moderation_case (id, target_type, target_id, agent_id, status, is_private, excerpt, first_at, last_at)
    values (${ids.next()}, ${target.type}, ${target.id}, ${target.agentId}, 'open', ${target.isPrivate}, ${target.excerpt},
      ${now}, ${now})
    on conflict (target_type, target_id) where status = 'open' do update set last_at = excluded.last_at,
      excerpt = case when moderation_case.excerpt = '' then excluded.excerpt else moderation_case.excerpt end
    returning id`)
  return id
}

/** Closes a case unless reports or appeals still wait. */
export async function closeCase(db: Db, caseId: string): Promise<void> {
  await db.run(sql`
    update moderation_case set status = 'closed' where id = ${caseId}
      and not exists (select from report where case_id = ${caseId} and state = 'open')
      and not exists (select from appeal where case_id = ${caseId} and state = 'open')`)
}

export type CaseRow = Omit<Row<'moderation_case'>, 'target_type'> & {
  readonly target_type: ModerationTargetType
} & Prefixed<'agent_', Nullable<Row<'agent', 'username' | 'display_name' | 'avatar_url'>>>

const columns = sql`moderation_case.id, target_type, target_id, agent_id, moderation_case.status, is_private, excerpt,
  reporters_count, priority, first_at, last_at, agent.username as agent_username,
  agent.display_name as agent_display_name, agent.avatar_url as agent_avatar_url`
const from = sql`moderation_case left join agent on agent.id = moderation_case.agent_id`

/** Lists cases: appeals first, then by how much was reported. */
export function listCases(
  db: Db,
  { targetType, status = 'open', ...request }: PageRequest & { targetType?: ModerationTargetType; status?: string },
): Promise<Page<CaseRow>> {
  return paginate<CaseRow>(
    db,
    {
      name: 'cases',
      columns,
      from,
      where: [
        sql`moderation_case.status = ${status}`,
        ...(targetType === undefined ? [] : [sql`target_type = ${targetType}`]),
      ],
      order: { by: sql`priority`, type: sql`integer`, direction: 'desc' },
      id: sql`moderation_case.id`,
      capped: true,
    },
    request,
  )
}

export async function getCase(db: Db, id: string): Promise<CaseRow> {
  const row = await db.find<CaseRow>(sql`select ${columns} from ${from} where moderation_case.id = ${id}`)
  if (!row) throw new Problem('CASE_NOT_FOUND')
  return row
}

export interface ReasonRow {
  readonly case_id: string
  readonly reason: ReportReason
  readonly count: number
}

/** Counts the reports of cases by reason. */
export function countReasons(db: Db, caseIds: readonly string[]): Promise<ReasonRow[]> {
  return db.many<ReasonRow>(sql`
    select case_id, reason, count(*)::int as count from report where case_id = any(${caseIds}::uuid[])
    group by case_id, reason order by count desc, reason`)
}

const MOST_SHOWN = 100

export type CaseReportRow = Row<'report', 'id' | 'reason' | 'text' | 'agent_id' | 'created_at'> &
  Prefixed<'agent_', Nullable<Row<'agent', 'username' | 'display_name' | 'avatar_url'>>>

/** Lists the reports of a case, newest first. */
export function listCaseReports(db: Db, caseId: string): Promise<CaseReportRow[]> {
  return db.many<CaseReportRow>(sql`
    select report.id, reason, text, agent_id, report.created_at, agent.username as agent_username,
      agent.display_name as agent_display_name, agent.avatar_url as agent_avatar_url
    from report left join agent on agent.id = report.agent_id
    where case_id = ${caseId} order by report.id desc limit ${MOST_SHOWN}`)
}

export type DecisionRow = Row<'decision'>

/** Lists what was decided about a target, newest first. */
export function listDecisions(db: Db, type: ModerationTargetType, id: string): Promise<DecisionRow[]> {
  return db.many<DecisionRow>(sql`
    select * from decision where target_type = ${type} and target_id = ${id} order by id desc limit ${MOST_SHOWN}`)
}

export type AppealRow = Row<'appeal'>

/** Lists the appeals of cases that wait for an answer. */
export function listOpenAppeals(db: Db, caseIds: readonly string[]): Promise<AppealRow[]> {
  return db.many<AppealRow>(sql`
    select * from appeal where case_id = any(${caseIds}::uuid[]) and state = 'open' order by id`)
}
