import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import { digestOf, recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import { notifyOfDecision } from '../notifications/notify-decision.js'
import { getOpenAppeal, isInForce } from './appeals.js'
import { isRestricting, UNDOES } from './apply.js'
import { APPEAL_WEIGHT, type AppealRow, closeCase, type DecisionRow } from './cases.js'
import { type DecideDeps, decideIn, finishDecision, type NewDecision } from './decide.js'
import { getAnyTarget } from './targets.js'
import { decisionFields } from './view.js'

interface Answer extends Pick<NewDecision, 'reason' | 'note' | 'decidedBy' | 'requestId'> {
  readonly id: string
  readonly outcome: 'uphold' | 'overturn'
}

/** Answers an appeal. To overturn a decision that still holds is to make the one that undoes it. */
export async function answerAppeal(deps: DecideDeps, answer: Answer): Promise<AppealRow> {
  const { row, undone } = await deps.db.transaction(async (db) => {
    const { appeal, decision } = await getOpenAppeal(db, answer.id)
    const row = await db.one<AppealRow>(sql`
      update appeal set state = ${answer.outcome === 'uphold' ? 'upheld' : 'overturned'}, answer = ${answer.reason},
        answered_by = ${answer.decidedBy}, answered_at = ${deps.clock.now()}
      where id = ${appeal.id} returning *`)
    // What a decision is about is locked before its case, as a new decision does it.
    const undone = answer.outcome === 'overturn' ? await undo(db, deps, decision, answer) : undefined
    await db.run(sql`update moderation_case set priority = priority - ${APPEAL_WEIGHT} where id = ${appeal.case_id}`)
    if (!undone) await tell(db, deps, row, decision, answer)
    await closeCase(db, appeal.case_id)
    return { row, undone }
  })
  if (undone) await finishDecision(deps, undone)
  return row
}

/** Makes the decision that undoes another; undefined if that one no longer holds, or its target is gone. */
export async function undo(
  db: Db,
  deps: DecideDeps,
  decision: DecisionRow,
  { reason, note, decidedBy, requestId }: Pick<NewDecision, 'reason' | 'note' | 'decidedBy' | 'requestId'>,
): Promise<DecisionRow | undefined> {
  if (!isRestricting(decision.decision) || !(await isInForce(db, decision))) return undefined
  const name = { targetType: decision.target_type, targetId: decision.target_id }
  const target = await getAnyTarget({ ...deps, db }, name).catch((error) => {
    if (error instanceof Problem) return undefined
    throw error
  })
  if (!target) return undefined
  // What brought the suspension of one agent must not go on keeping its wallet out.
  if (decision.decision === 'suspend')
    await db.run(sql`
      update wallet_ban set lifted_at = ${deps.clock.now()} where lifted_at is null and ${decision.id} = any(decision_ids)`)
  return decideIn(db, deps, target, {
    decision: UNDOES[decision.decision],
    label: decision.label ?? undefined,
    reason,
    note,
    decidedBy,
    requestId,
  })
}

/** Tells the one concerned that a decision stands. */
async function tell(
  db: Db,
  deps: DecideDeps,
  { id, agent_id: agentId }: AppealRow,
  decision: DecisionRow,
  { outcome, reason, requestId }: Answer,
): Promise<void> {
  await recordAudit(db, deps, {
    agentId,
    actor: 'operator',
    action: 'answerAppeal',
    target: decision.id,
    summary: `Answered the appeal (${outcome})`,
    words: digestOf(deps.secrets, reason),
    requestId,
  })
  const shown = { ...decisionFields(decision), reason, role: 'concerned' as const }
  await notifyOfDecision(db, deps, [{ agentId, causeId: id, decision: shown }])
}
