import type { AgentAction, ApprovalStatus } from '@rookery/api'
import sql, { empty, type Sql } from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { digestOf, type NewAuditEntry, recordAudit } from '../../foundation/audit/actions.js'
import type { Db } from '../../foundation/db/db.js'
import { idAt } from '../../foundation/db/id-at.js'
import { type Page, type PageRequest, paginate } from '../../foundation/db/paginate.js'
import type { NewTweet } from '../tweets/check.js'
import type { ApprovalRow, WaitingTrade } from './approval-row.js'
import { type AgentCall, auditFields, type GateDeps } from './governed.js'
import { approvalView } from './view.js'

const LIFETIME_MS = 24 * 60 * 60_000
const MOST_WAITING = 50

const columns = (now: Date): Sql => sql`id, agent_id, action,
  case when status = 'pending_approval' and expires_at <= ${now} then 'expired' else status end as status,
  summary, tweet, trade, worth_wei, tweet_id, used_at, note, created_at, expires_at, decided_at`

export interface NewApproval {
  readonly action: AgentAction
  readonly summary: string
  readonly tweet?: NewTweet
  readonly trade?: WaitingTrade
  readonly worthWei?: bigint
}

export function requestApproval(
  deps: GateDeps,
  call: AgentCall,
  { action, summary, tweet, trade, worthWei }: NewApproval,
): Promise<ApprovalRow> {
  const { clock, ids } = deps
  return deps.db.transaction(async (db) => {
    // Parallel requests wait for each other at this lock; otherwise they would exceed the limit.
    await db.run(sql`select from agent_control where agent_id = ${call.agent.id} for update`)
    const now = clock.now()
    const waiting = await countWaiting(db, deps, call.agent.id)
    if (waiting >= MOST_WAITING)
      throw new Problem('CAP_REACHED', {
        message: `${waiting} actions are already waiting for the owner. Ask again when some are decided.`,
      })
    const row = await db.one<ApprovalRow>(sql`
      insert into approval (id, agent_id, action, summary, tweet, trade, worth_wei, created_at, expires_at)
      values (${ids.next()}, ${call.agent.id}, ${action}, ${summary}, ${json(tweet)}, ${json(trade)},
        ${worthWei?.toString() ?? null}, ${now}, ${new Date(now.getTime() + LIFETIME_MS)})
      returning ${columns(now)}`)
    await recordAudit(db, deps, {
      ...auditFields(call),
      agentId: call.agent.id,
      outcome: 'pending_approval',
      target: row.id,
      ...requestOf(deps, row),
    })
    await appendApprovalEvent(db, deps, 'approval.requested', row)
    await deps.queue.enqueue(db, 'push_approval', { approvalId: row.id })
    return row
  })
}

/** What a request is about, for the audit log, which outlives its words. */
export function requestOf(
  { secrets }: Pick<Deps, 'secrets'>,
  { action, summary, tweet }: Pick<ApprovalRow, 'action' | 'summary' | 'tweet'>,
): Pick<NewAuditEntry, 'summary' | 'words'> {
  return tweet ? { summary: verbOf(action), words: digestOf(secrets, tweet.content) } : { summary }
}

function verbOf(action: AgentAction): string {
  return { post: 'Post', reply: 'Reply', repost: 'Repost' }[action as string] ?? 'Post'
}

/** What would be published, in a line for the owner. */
export function summaryOf(action: AgentAction, content: string): string {
  return content === '' ? verbOf(action) : `${verbOf(action)}: ${content}`
}

/**
 * Assignments that take the words out of a request. They are needed until it is decided: then they are in the tweet that came
 * of it, or nowhere.
 */
export const withoutWords = sql`
  summary = case when tweet is null then summary
    else case action when 'reply' then 'Reply' when 'repost' then 'Repost' else 'Post' end end,
  tweet = tweet || '{"content": ""}'`

function json(value: object | undefined): string | null {
  return value === undefined ? null : JSON.stringify(value)
}

/** Counts the actions of an agent that wait for its owner. */
export async function countWaiting(db: Db, { clock }: { clock: Clock }, agentId: string): Promise<number> {
  const { waiting } = await db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from approval
    where agent_id = ${agentId} and status = 'pending_approval' and expires_at > ${clock.now()}`)
  return waiting
}

export function listApprovals(
  db: Db,
  { clock }: { clock: Clock },
  agentId: string,
  request: PageRequest & { status?: ApprovalStatus },
): Promise<Page<ApprovalRow>> {
  const now = clock.now()
  const list = {
    name: 'approvals',
    columns: sql`approval.*`,
    from: sql`(select ${columns(now)} from approval where agent_id = ${agentId}) approval`,
    where: request.status === undefined ? [] : [sql`status = ${request.status}`],
    order: { by: sql`id`, type: sql`uuid`, direction: 'desc' as const },
    id: sql`id`,
    capped: true as const,
  }
  return paginate<ApprovalRow>(db, list, request)
}

/** Lists what waits for a decision of the owner of all these agents, oldest first. */
export function listWaitingApprovals(
  db: Db,
  { clock }: { clock: Clock },
  agentIds: readonly string[],
  request: PageRequest,
): Promise<Page<ApprovalRow>> {
  const now = clock.now()
  const list = {
    name: 'waiting_approvals',
    columns: columns(now),
    from: sql`approval`,
    where: [sql`agent_id = any(${agentIds}::uuid[])`, sql`status = 'pending_approval'`, sql`expires_at > ${now}`],
    order: { by: sql`id`, type: sql`uuid`, direction: 'asc' as const },
    id: sql`id`,
    capped: true as const,
  }
  return paginate<ApprovalRow>(db, list, request)
}

/** Lists what waits for the owner, and the approved trades that the agent has not made yet; oldest first. */
export function listOpenApprovals(
  db: Db,
  { clock }: { clock: Clock },
  agentId: string,
  limit: number,
): Promise<ApprovalRow[]> {
  const now = clock.now()
  return db.many<ApprovalRow>(sql`
    select ${columns(now)} from approval
    where agent_id = ${agentId} and used_at is null and expires_at > ${now}
      and (status = 'pending_approval' or (status = 'approved' and trade is not null))
    order by id limit ${limit}`)
}

type ApprovalLookup = readonly [db: Db, deps: { clock: Clock }, agentId: string, id: string]

export function getApproval(...lookup: ApprovalLookup): Promise<ApprovalRow> {
  return readApproval(empty, ...lookup)
}

/** Finds an approval of an agent and locks it until the transaction ends. */
export function lockApproval(...lookup: ApprovalLookup): Promise<ApprovalRow> {
  return readApproval(sql`for update`, ...lookup)
}

async function readApproval(lock: Sql, ...[db, { clock }, agentId, id]: ApprovalLookup): Promise<ApprovalRow> {
  const row = await db.find<ApprovalRow>(
    sql`select ${columns(clock.now())} from approval where id = ${id} and agent_id = ${agentId} ${lock}`,
  )
  if (!row) throw new Problem('APPROVAL_NOT_FOUND')
  return row
}

/** Finds the newest approval of exactly this trade that is pending, or approved and unused. */
export function findApprovalOf(
  db: Db,
  { clock }: { clock: Clock },
  agentId: string,
  action: AgentAction,
  trade: WaitingTrade,
): Promise<ApprovalRow | undefined> {
  const now = clock.now()
  return db.find<ApprovalRow>(sql`
    select ${columns(now)} from approval
    where agent_id = ${agentId} and action = ${action} and trade = ${JSON.stringify(trade)}::jsonb
      and status in ('pending_approval', 'approved') and used_at is null and expires_at > ${now}
    order by id desc limit 1`)
}

/** Appends an event that informs the agent about its request. */
export function appendApprovalEvent(
  db: Db,
  { events }: Pick<Deps, 'events'>,
  type: 'approval.requested' | 'approval.decided',
  row: ApprovalRow,
): Promise<void> {
  return events.append(db, [{ type, recipientId: row.agent_id, data: approvalView(row) }])
}

/** Expires requests that were not decided in time, and records that in the audit log. */
export function expireApprovals(deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'events' | 'secrets'>): Promise<void> {
  const { clock } = deps
  return deps.db.transaction(async (db) => {
    const expired = await db.many<ApprovalRow>(sql`
      select ${columns(clock.now())} from approval where status = 'pending_approval' and expires_at <= ${clock.now()}
      order by id for update`)
    for (const row of expired) {
      const { id: target, agent_id: agentId } = row
      await db.run(sql`update approval set status = 'expired', ${withoutWords} where id = ${target}`)
      const entry = { agentId, actor: 'system', action: 'expireApproval', target } as const
      await recordAudit(db, deps, { ...entry, ...requestOf(deps, row) })
      await appendApprovalEvent(db, deps, 'approval.decided', await getApproval(db, deps, agentId, target))
    }
  })
}

/** Deletes requests that were decided, together with the lines of the audit log that tell of them. */
export async function deleteOldApprovals({ db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>): Promise<void> {
  if (config.KEEP_AUDIT_DAYS === 0) return
  const before = idAt(new Date(clock.now().getTime() - config.KEEP_AUDIT_DAYS * DAY_MS))
  await db.run(sql`delete from approval where id < ${before} and status <> 'pending_approval'`)
}

const DAY_MS = 24 * 60 * 60_000
const DECIDED_AT_ONCE = 500

/** Takes the words out of requests that earlier releases decided. Returns whether there may be more. */
export async function eraseDecidedWords(db: Db): Promise<boolean> {
  const erased = await db.run(sql`
    update approval set ${withoutWords} where id in (
      select id from approval where status <> 'pending_approval' and tweet->>'content' <> '' limit ${DECIDED_AT_ONCE})`)
  return erased === DECIDED_AT_ONCE
}
