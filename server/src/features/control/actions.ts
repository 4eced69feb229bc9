import type { AgentAction } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { parseEther } from 'viem'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import { digestOf, type NewAuditEntry, recordAudit } from '../../foundation/audit/actions.js'
import { getIdentity } from '../../foundation/callers/agent-identities.js'
import type { Db } from '../../foundation/db/db.js'
import type { AgentRow } from '../agents/queries.js'
import { requireStanding } from '../agents/standing.js'
import { createTweet } from '../tweets/create.js'
import type { ApprovalRow } from './approval-row.js'
import { appendApprovalEvent, lockApproval, requestOf, withoutWords } from './approvals.js'
import { requireAllowed, requireNotFrozen } from './governed.js'
import { countTradedToday } from './prepared-trades.js'
import { getRules, postCap } from './rules.js'
import { controlsView } from './view.js'

type ControlDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'identities' | 'events' | 'mediaUrls' | 'secrets'>

export interface OwnerCall {
  readonly requestId: string
}

/** Freezes an agent. When this returns, every instance refuses its writes. */
export function freezeAgent(
  deps: ControlDeps,
  agent: AgentRow,
  { reason, requestId }: OwnerCall & { reason?: string },
): Promise<void> {
  const now = deps.clock.now()
  const text = reason?.replace(/\s+/g, ' ').trim() || null
  return changeRules(deps, agent, {
    set: sql`frozen_at = coalesce(agent_control.frozen_at, ${now}), frozen_reason = ${text}`,
    event: 'agent.frozen',
    entry: { action: 'freezeAgent', summary: 'Froze the agent', words: digestOf(deps.secrets, text ?? ''), requestId },
  })
}

export function unfreezeAgent(deps: ControlDeps, agent: AgentRow, { requestId }: OwnerCall): Promise<void> {
  return changeRules(deps, agent, {
    set: sql`frozen_at = null, frozen_reason = null`,
    event: 'agent.unfrozen',
    entry: { action: 'unfreezeAgent', summary: 'Let the agent write again', requestId },
  })
}

/** Rules as an owner sends them: an absent rule stays as it is, null removes it. */
export interface RuleChanges {
  readonly maxDailyPosts?: number | null
  readonly maxTradeBNB?: string | null
  readonly maxDailyTradeBNB?: string | null
  readonly allowedActions?: AgentAction[] | null
  readonly approvePostsAfter?: number | null
  readonly approveTradesAboveBNB?: string | null
  readonly recoveryWaits?: boolean
}

export async function updateControls(
  deps: ControlDeps,
  agent: AgentRow,
  { requestId, ...changes }: OwnerCall & RuleChanges,
): Promise<void> {
  const columns = {
    maxDailyPosts: (value: number | null) => sql`max_daily_posts = ${value}`,
    maxTradeBNB: (value: string | null) => sql`max_trade_wei = ${wei(value)}`,
    maxDailyTradeBNB: (value: string | null) => sql`max_daily_trade_wei = ${wei(value)}`,
    allowedActions: (value: AgentAction[] | null) => sql`allowed_actions = ${value}::text[]`,
    approvePostsAfter: (value: number | null) => sql`approve_posts_after = ${value}`,
    approveTradesAboveBNB: (value: string | null) => sql`approve_trades_above_wei = ${wei(value)}`,
    recoveryWaits: (value: boolean) => sql`recovery_waits = ${value}`,
  }
  const names = (Object.keys(columns) as (keyof RuleChanges)[]).filter((name) => changes[name] !== undefined)
  if (names.length === 0) return
  const assignments = names.map((name) => (columns[name] as (value: unknown) => Sql)(changes[name]))
  const summary = names.map((name) => `${name} = ${JSON.stringify(changes[name])}`).join(', ')
  await changeRules(deps, agent, {
    set: assignments.reduce((all, next) => sql`${all}, ${next}`),
    entry: { action: 'updateControls', summary: `Set ${summary}`, requestId },
  })
}

function wei(bnb: string | null): string | null {
  return bnb === null ? null : parseEther(bnb).toString()
}

async function changeRules(
  deps: ControlDeps,
  agent: AgentRow,
  change: {
    readonly set: Sql
    readonly entry: Pick<NewAuditEntry, 'action' | 'summary' | 'words' | 'requestId'>
    readonly event?: 'agent.frozen' | 'agent.unfrozen'
  },
): Promise<void> {
  const now = deps.clock.now()
  await deps.db.transaction(async (db) => {
    await db.run(
      sql`insert into agent_control (agent_id, updated_at) values (${agent.id}, ${now}) on conflict do nothing`,
    )
    await db.run(sql`update agent_control set ${change.set}, updated_at = ${now}, version = version + 1
      where agent_id = ${agent.id}`)
    await recordAudit(db, deps, { agentId: agent.id, actor: 'owner', ...change.entry })
    if (change.event === undefined) return
    const traded = await countTradedToday(db, deps, agent.id)
    const data = controlsView(agent.id, await getRules(db, deps, agent.id), traded)
    await deps.events.append(db, [{ type: change.event, recipientId: agent.id, data }])
  })
  await deps.identities.endOlderCalls(agent.id)
}

type DecideDeps = ControlDeps & Pick<Deps, 'queue' | 'config'>

/** Approves or rejects a pending request. Publishes an approved tweet in the same transaction, under the same caps. */
export function decideApproval(
  deps: DecideDeps,
  agent: AgentRow,
  { approvalId, decision, note, requestId }: OwnerCall & { approvalId: string; decision: string; note?: string },
): Promise<ApprovalRow> {
  return deps.db.transaction(async (db) => {
    const approval = await lockApproval(db, deps, agent.id, approvalId)
    if (approval.status !== 'pending_approval') throw new Problem('APPROVAL_DECIDED')
    const status = decision === 'approve' ? 'approved' : 'rejected'
    if (status === 'approved' && agent.status === 'suspended') throw new Problem('AGENT_SUSPENDED')
    const tweetId = status === 'approved' ? await publish({ ...deps, db }, approval) : null
    await db.run(sql`
      update approval set status = ${status}, note = ${note ?? null}, decided_at = ${deps.clock.now()},
        tweet_id = ${tweetId}, ${withoutWords} where id = ${approvalId}`)
    const { summary, words } = requestOf(deps, approval)
    await recordAudit(db, deps, {
      agentId: agent.id,
      actor: 'owner',
      action: 'decideApproval',
      target: approvalId,
      summary: `${status === 'approved' ? 'Approved' : 'Rejected'}: ${summary}`,
      words,
      requestId,
    })
    if (tweetId !== null)
      await recordAudit(db, deps, {
        agentId: agent.id,
        actor: 'agent',
        action: 'createTweet',
        target: tweetId,
        summary,
        words,
        requestId,
      })
    const decided = await lockApproval(db, deps, agent.id, approvalId)
    await appendApprovalEvent(db, deps, 'approval.decided', decided)
    return decided
  })
}

/** Posts an approved tweet as the agent and returns its id. Returns null for a trade, where there is nothing to publish. */
async function publish(deps: DecideDeps & { db: Db }, approval: ApprovalRow): Promise<string | null> {
  if (!approval.tweet) return null
  // A freeze or a suspension waits for the commit, or this waits for them. Agents are locked before tweets, like everywhere.
  await deps.db.run(sql`select from agent where id = ${approval.agent_id} for no key update`)
  await deps.db.run(sql`select from agent_control where agent_id = ${approval.agent_id} for share`)
  const agent = await getIdentity(deps.db, approval.agent_id)
  requireNotFrozen(agent)
  requireStanding(deps, agent)
  requireAllowed(agent, approval.action)
  // Whether it repeats others was checked when it was rehearsed.
  const { row } = await createTweet(deps, postCap, { agent, tweet: approval.tweet })
  return row.id
}
