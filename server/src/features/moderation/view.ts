import type {
  AgentRef,
  Appeal,
  Decision,
  FullModerationCase,
  ModerationCase,
  ModerationNotice,
  Report,
} from '@rookery/api'
import type { Db } from '../../foundation/db/db.js'
import { canAppeal, type NoticeRow } from './appeals.js'
import {
  type AppealRow,
  type CaseReportRow,
  type CaseRow,
  countReasons,
  type DecisionRow,
  listCaseReports,
  listDecisions,
  listOpenAppeals,
} from './cases.js'
import type { ReportRow } from './reports.js'
import { findStates } from './targets.js'

export function reportView(row: ReportRow): Report {
  return {
    id: row.id,
    targetType: row.target_type,
    targetId: row.target_id,
    reason: row.reason,
    text: row.text,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  }
}

/** What everybody concerned reads of a decision. */
export function decisionFields(row: DecisionRow) {
  return {
    id: row.id,
    targetType: row.target_type,
    targetId: row.target_id,
    decision: row.decision,
    label: row.label,
    reason: row.reason,
    until: row.until?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

export function decisionView(row: DecisionRow): Decision {
  return { ...decisionFields(row), agentId: row.agent_id, note: row.note, decidedBy: row.decided_by }
}

export function appealView(row: AppealRow): Appeal {
  return {
    id: row.id,
    decisionId: row.decision_id,
    agentId: row.agent_id,
    text: row.text,
    state: row.state,
    answer: row.answer,
    createdAt: row.created_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
  }
}

export function noticeView({ decision, appeal }: NoticeRow, now: Date): ModerationNotice {
  const until = canAppeal(decision, appeal, now)
  return {
    ...decisionFields(decision),
    agentId: decision.concerned_id,
    excerpt: decision.excerpt,
    appealEndsAt: until?.toISOString() ?? null,
    appeal: appeal && appealView(appeal),
  }
}

function agentRef({ agent_id, ...row }: CaseRow | CaseReportRow): AgentRef | null {
  if (agent_id === null || row.agent_username === null) return null
  return {
    id: agent_id,
    username: row.agent_username,
    displayName: row.agent_display_name ?? '',
    avatarUrl: row.agent_avatar_url,
  }
}

export async function caseViews(db: Db, rows: readonly CaseRow[]): Promise<ModerationCase[]> {
  const ids = rows.map(({ id }) => id)
  const stateOf = await findStates(db, rows)
  const reasons = await countReasons(db, ids)
  const appeals = await listOpenAppeals(db, ids)
  return rows.map((row) => {
    const { labels, isHidden } = stateOf(row.target_type, row.target_id)
    return {
      id: row.id,
      targetType: row.target_type,
      targetId: row.target_id,
      agent: agentRef(row),
      status: row.status,
      isPrivate: row.is_private,
      excerpt: row.excerpt,
      labels: [...labels],
      isHidden,
      reportersCount: row.reporters_count,
      reasons: reasons.flatMap(({ case_id, reason, count }) => (case_id === row.id ? [{ reason, count }] : [])),
      appeals: appeals.filter(({ case_id }) => case_id === row.id).map(appealView),
      firstReportedAt: row.first_at.toISOString(),
      lastReportedAt: row.last_at.toISOString(),
    }
  })
}

export async function fullCaseView(db: Db, row: CaseRow): Promise<FullModerationCase> {
  const [view] = await caseViews(db, [row])
  if (!view) throw new Error('A case has no view')
  const reports = await listCaseReports(db, row.id)
  const history = await listDecisions(db, row.target_type, row.target_id)
  return {
    ...view,
    reports: reports.map((report) => ({
      id: report.id,
      reason: report.reason,
      text: report.text,
      reporter: agentRef(report),
      createdAt: report.created_at.toISOString(),
    })),
    history: history.map(decisionView),
  }
}
