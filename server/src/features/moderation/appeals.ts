import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { digestOf, recordAudit } from '../../foundation/audit/actions.js'
import { type Db, violatedConstraint } from '../../foundation/db/db.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import { isRestricting } from './apply.js'
import { APPEAL_WEIGHT, type AppealRow, type DecisionRow, openCase } from './cases.js'
import type { SignedIn } from './reporter.js'
import { firstUploaders, getAnyTarget, type Target } from './targets.js'

/** How long after a decision it can be appealed. */
const APPEAL_MS = 30 * 24 * 60 * 60_000

/** Whether a decision still holds: nothing of its kind was decided about its target since. */
const inForce = sql`not exists (
  select from decision later
  where later.target_type = decision.target_type and later.target_id = decision.target_id and later.id > decision.id
    and later.decision <> 'dismiss' and later.label is not distinct from decision.label)`

/** Until when a decision that holds can be appealed; undefined if it cannot, or no longer. */
export function canAppeal(
  { decision, created_at, is_in_force }: Pick<NoticeRow['decision'], 'decision' | 'created_at' | 'is_in_force'>,
  appeal: AppealRow | null,
  now: Date,
): Date | undefined {
  const until = new Date(created_at.getTime() + APPEAL_MS)
  return isRestricting(decision) && is_in_force && appeal === null && until > now ? until : undefined
}

/** A query for the ids of the agents that a caller is or stands for. */
function ownAgents(caller: SignedIn) {
  if (caller.kind === 'agent') return sql`select ${caller.agent.id}::uuid as id`
  const { xId, wallet } = caller.session
  return sql`select id from agent where x_id = ${xId} or wallet_address = ${wallet}`
}

/** Decisions that may concern the caller: about one of its agents, what they made, or a file that they uploaded. */
function decisionsOf(caller: SignedIn) {
  const own = ownAgents(caller)
  return sql`
    select id from decision where agent_id in (${own})
    union
    select decision.id from upload join decision on target_type = 'file' and target_id = file_name
    where upload.agent_id in (${own})`
}

/** The agent of the caller whom a decision concerns; null if there is none. Of a file, all who had uploaded it are. */
function concernedAgent(caller: SignedIn) {
  const own = ownAgents(caller)
  return sql`case when decision.agent_id in (${own}) then decision.agent_id
    when decision.target_type = 'file' then (
      select agent_id from (${firstUploaders(sql`decision.target_id`)}) uploader
      where created_at <= decision.created_at and agent_id in (${own}) limit 1) end`
}

/** A decision, the agent of the caller whom it concerns, and the appeal of that agent. */
export interface NoticeRow {
  readonly decision: DecisionRow & { readonly is_in_force: boolean; readonly concerned_id: string }
  readonly appeal: AppealRow | null
}

/** Lists the decisions that concern the caller, newest first. */
export async function listNotices(db: Db, caller: SignedIn, request: PageRequest): Promise<Page<NoticeRow>> {
  const concerned = concernedAgent(caller)
  const { rows, meta } = await paginate<NoticeRow['decision']>(
    db,
    {
      name: 'notices',
      columns: sql`decision.*, ${inForce} as is_in_force, ${concerned} as concerned_id`,
      from: sql`decision`,
      where: [
        sql`decision.id in (${decisionsOf(caller)})`,
        sql`${concerned} is not null`,
        sql`decision.decision <> 'dismiss'`,
      ],
      order: { by: sql`decision.id`, type: sql`uuid`, direction: 'desc' },
      id: sql`decision.id`,
      capped: true,
    },
    request,
  )
  const appeals = await db.many<AppealRow>(
    sql`select * from appeal where decision_id = any(${rows.map(({ id }) => id)}::uuid[])`,
  )
  const appealOf = ({ id, concerned_id }: NoticeRow['decision']) =>
    appeals.find(({ decision_id, agent_id }) => decision_id === id && agent_id === concerned_id) ?? null
  return { rows: rows.map((decision) => ({ decision, appeal: appealOf(decision) })), meta }
}

type AppealDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'config' | 'secrets'>

/** Appeals a decision that concerns the caller. Suspended and frozen agents can too. */
export async function createAppeal(
  deps: AppealDeps,
  caller: SignedIn,
  { decisionId, text }: { decisionId: string; text: string },
  requestId: string,
): Promise<AppealRow> {
  const { clock, ids } = deps
  if (text.trim() === '') throw Problem.at('text', 'must not be empty')
  const decision = await deps.db.find<NoticeRow['decision']>(sql`
    select * from (
      select *, ${inForce} as is_in_force, ${concernedAgent(caller)} as concerned_id from decision
      where id = ${decisionId} and decision <> 'dismiss') decision
    where concerned_id is not null`)
  if (!decision) throw new Problem('DECISION_NOT_FOUND')
  const { concerned_id: agentId } = decision
  if (!canAppeal(decision, null, clock.now())) throw new Problem('APPEAL_NOT_POSSIBLE')
  const name = { targetType: decision.target_type, targetId: decision.target_id }
  // What it was about may have been deleted since.
  const target = await getAnyTarget(deps, name).catch((error): Target => {
    if (!(error instanceof Problem)) throw error
    const { target_type: type, target_id: id } = decision
    return { type, id, agentId, isPrivate: true, excerpt: '' }
  })
  try {
    return await deps.db.transaction(async (db) => {
      const caseId = await openCase(db, deps, target)
      await db.run(sql`update moderation_case set priority = priority + ${APPEAL_WEIGHT} where id = ${caseId}`)
      await recordAudit(db, deps, {
        agentId,
        actor: caller.kind === 'agent' ? 'agent' : 'owner',
        action: 'createAppeal',
        target: decision.id,
        summary: 'Appealed a decision',
        words: digestOf(deps.secrets, text),
        requestId,
      })
      return db.one<AppealRow>(sql`
        insert into appeal (id, decision_id, agent_id, case_id, text, state, created_at)
        values (${ids.next()}, ${decision.id}, ${agentId}, ${caseId}, ${text}, 'open', ${clock.now()})
        returning *`)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'appeal_once') throw new Problem('APPEAL_NOT_POSSIBLE')
    throw error
  }
}

/** Finds and locks an appeal that waits for an answer, with the decision that it is about. */
export async function getOpenAppeal(db: Db, id: string): Promise<{ appeal: AppealRow; decision: DecisionRow }> {
  const appeal = await db.find<AppealRow>(sql`select * from appeal where id = ${id} for update`)
  if (!appeal) throw new Problem('APPEAL_NOT_FOUND')
  if (appeal.state !== 'open') throw new Problem('ALREADY_DECIDED')
  return { appeal, decision: await db.one<DecisionRow>(sql`select * from decision where id = ${appeal.decision_id}`) }
}

/** Whether a decision still holds, as for `canAppeal`. */
export async function isInForce(db: Db, { id }: DecisionRow): Promise<boolean> {
  const { is_in_force } = await db.one<Pick<NoticeRow['decision'], 'is_in_force'>>(
    sql`select ${inForce} as is_in_force from decision where id = ${id}`,
  )
  return is_in_force
}
