import type { Recovery } from '@rookery/api'
import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { planOnce } from '../../foundation/db/plan-once.js'
import { findRemaining } from '../../foundation/limits.js'
import { claimUrl, postText, verificationCode } from '../agents/claim.js'
import { recordHeartbeat } from '../agents/ping.js'
import type { AgentRow } from '../agents/queries.js'
import { requireStanding } from '../agents/standing.js'
import { requireNotFrozen } from '../control/governed.js'
import { countUnread } from '../notifications/queries.js'
import { findUnsettledRecovery, recoveryView } from '../registration/recovery-rows.js'
import { type HeartbeatState, SHOWN_THREADS, SHOWN_TRENDING } from './heartbeat.js'
import {
  countSinceByType,
  countUnreadByType,
  findBalance,
  listTrendingAmongFollowed,
  listWaitingThreads,
  sumTradesSince,
} from './queries.js'

/** Records the heartbeat of an agent, and returns what its checklist is made from. */
export async function readHeartbeat(deps: Deps, agent: AgentIdentity): Promise<HeartbeatState> {
  const { db } = deps
  const { lastHeartbeatAt, row } = await recordHeartbeat(deps, agent)
  const now = row.last_ping_at ?? deps.clock.now()
  const since = lastHeartbeatAt ?? row.created_at
  const read = await db.transaction(async (db) => {
    await db.run(sql`select ${planOnce}`)
    const threads = await listWaitingThreads(db, agent, now, SHOWN_THREADS + 1)
    return {
      recovery: await readRecovery({ ...deps, db }, agent.id),
      threads,
      unread: await countUnread(db, agent),
      unreadByType: await countUnreadByType(db, agent),
      trending: await listTrendingAmongFollowed(db, agent, { now, limit: SHOWN_TRENDING, except: threads }),
      sinceByType: await countSinceByType(db, agent, since),
      trades: await sumTradesSince(db, agent, since),
    }
  })
  return {
    ...read,
    agent: row,
    now,
    lastHeartbeatAt,
    refusal: findStandingRefusal(deps, agent, row),
    claim: claimOf(deps, row),
    balanceWei: await findBalance(deps, row.wallet_address),
    allowances: await findRemaining(deps, agent),
  }
}

/** What the agent should know about a new key that its wallet asked for. */
export async function readRecovery(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  agentId: string,
): Promise<Recovery | null> {
  const row = await findUnsettledRecovery(db, agentId, clock.now())
  return row ? recoveryView(row, clock.now()) : null
}

/** What the owner of a pending agent needs. */
export function claimOf(deps: Deps, row: AgentRow): HeartbeatState['claim'] {
  const code = verificationCode(deps.secrets, row.id)
  return { url: claimUrl(deps, row.id), post: postText(deps.config, row.username, code) }
}

/** Finds out why the agent's social writes would be refused, by the same checks that refuse them. */
export function findStandingRefusal(deps: Deps, agent: AgentIdentity, row: AgentRow): Problem | undefined {
  try {
    requireStanding(deps, { ...agent, status: row.status, launched: row.launched_at !== null })
    requireNotFrozen(agent)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
