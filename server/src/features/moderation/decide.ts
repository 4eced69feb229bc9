import type { DecisionType } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { digestOf, recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'
import { type DecisionNotice, notifyOfDecision } from '../notifications/notify-decision.js'
import { applyOrder, isRestricting, type Order, requireSense } from './apply.js'
import { closeCase, type DecisionRow } from './cases.js'
import { settleAgent } from './settle-agent.js'
import { getAnyTarget, type Target, type TargetName } from './targets.js'
import { decisionFields } from './view.js'

export type DecideDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'events' | 'queue' | 'config' | 'identities' | 'secrets'>

/** A decision as it is made. */
export interface NewDecision extends Order {
  readonly reason: string
  readonly note?: string | undefined
  /** The wallet of a moderator, `operator` or `system`. */
  readonly decidedBy: string
  readonly requestId?: string | undefined
}

/** Decides about a target: carries it out, records it, closes its reports and tells everybody concerned. */
export async function decide(deps: DecideDeps, name: TargetName, input: NewDecision): Promise<DecisionRow> {
  requireSense(input, name.targetType, deps.clock.now())
  const target = await getAnyTarget(deps, name)
  const row = await deps.db.transaction((db) => decideIn(db, deps, target, input))
  await finishDecision(deps, row)
  return row
}

/** The part of a decision that belongs to the transaction `db`. `finishDecision` must follow its commit. */
export async function decideIn(db: Db, deps: DecideDeps, target: Target, input: NewDecision): Promise<DecisionRow> {
  const { clock, ids, queue } = deps
  const id = ids.next()
  const row = await db.one<DecisionRow>(sql`
    insert into decision (id, target_type, target_id, agent_id, decision, label, reason, note, until, excerpt, decided_by,
      created_at)
    values (${id}, ${target.type}, ${target.id}, ${target.agentId}, ${input.decision}, ${input.label ?? null},
      ${input.reason}, ${input.note ?? ''}, ${input.until ?? null}, ${target.ownExcerpt ?? target.excerpt},
      ${input.decidedBy}, ${clock.now()})
    returning *`)
  await applyOrder(db, deps, target, input, { reason: input.reason, decisionId: id })
  const reporters = await closeReports(db, deps, target, row)
  const concerned = target.agentId === null ? [] : [target.agentId, ...(target.otherAgentIds ?? [])]
  for (const agentId of concerned) await record(db, deps, { ...row, agent_id: agentId }, input.requestId)
  await notifyOfDecision(db, deps, [
    ...concerned.flatMap((agentId) => noticeOf(row, agentId)),
    ...reporters.filter((agentId) => !concerned.includes(agentId)).map((agentId) => reporterNotice(row, agentId)),
  ])
  if (row.until !== null) await queue.enqueue(db, 'end_decision', { decisionId: id }, { runAt: row.until })
  return row
}

/** Makes every instance forget what it remembers of an agent whose status has changed. */
export async function finishDecision(
  deps: DecideDeps,
  { decision, target_type, target_id }: DecisionRow,
): Promise<void> {
  if (target_type !== 'agent') return
  await deps.identities.endOlderCalls(target_id)
  if (decision !== 'suspend' && decision !== 'unsuspend') return
  // A post that was under way while the agent was suspended may have been committed since.
  await deps.db.transaction((db) => settleAgent(db, deps, { agentId: target_id }))
}

const ACTIONS: Readonly<Record<DecisionType, { action: string; summary: string }>> = {
  label: { action: 'addLabel', summary: 'Labelled' },
  unlabel: { action: 'removeLabel', summary: 'Removed the label of' },
  hide: { action: 'takeDown', summary: 'Took down' },
  restore: { action: 'restore', summary: 'Restored' },
  suspend: { action: 'suspendAgent', summary: 'Suspended' },
  unsuspend: { action: 'unsuspendAgent', summary: 'Lifted the suspension of' },
  dismiss: { action: 'dismissReports', summary: 'Dismissed reports of' },
}

async function record(
  db: Db,
  deps: DecideDeps,
  row: DecisionRow & { agent_id: string },
  requestId: string | undefined,
): Promise<void> {
  const { action, summary } = ACTIONS[row.decision]
  const label = row.label === null ? '' : ` as ${row.label}`
  await recordAudit(db, deps, {
    agentId: row.agent_id,
    actor: row.decided_by === 'system' ? 'system' : 'operator',
    action,
    target: row.target_id,
    summary: `${summary} the ${row.target_type}${label}`,
    words: digestOf(deps.secrets, row.reason),
    requestId,
  })
}

/**
 * Closes the open reports of a target. Returns the agents that made them. A decision that gives something back, or that
 * nobody made, does not answer them.
 */
async function closeReports(db: Db, { clock }: DecideDeps, target: Target, row: DecisionRow): Promise<string[]> {
  const isAnswer = row.decision === 'dismiss' || (isRestricting(row.decision) && row.decided_by !== 'system')
  if (!isAnswer) return []
  const open = await db.find<Row<'moderation_case', 'id'>>(sql`
    select id from moderation_case
    where target_type = ${target.type} and target_id = ${target.id} and status = 'open' for update`)
  if (!open) {
    if (row.decision === 'dismiss') throw new Problem('ALREADY_DECIDED')
    return []
  }
  const closed = await db.many<Row<'report', 'agent_id'>>(sql`
    update report set state = ${row.decision === 'dismiss' ? 'dismissed' : 'acted'}, decision_id = ${row.id},
      decided_at = ${clock.now()}
    where case_id = ${open.id} and state = 'open' returning agent_id`)
  await closeCase(db, open.id)
  return [...new Set(closed.flatMap(({ agent_id }) => agent_id ?? []))]
}

/** The one concerned need not know of reports that were dismissed. */
function noticeOf(row: DecisionRow, agentId: string): DecisionNotice[] {
  if (row.decision === 'dismiss') return []
  return [{ agentId, causeId: row.id, decision: { ...decisionFields(row), role: 'concerned' } }]
}

/** A reporter learns what became of the report, and not what the one concerned was told. */
function reporterNotice(row: DecisionRow, agentId: string): DecisionNotice {
  const reason = row.decision === 'dismiss' ? 'Your report was dismissed.' : 'Your report was acted on.'
  return { agentId, causeId: row.id, decision: { ...decisionFields(row), reason, role: 'reporter' } }
}
