import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import { claimUrl, postText, verificationCode } from '../agents/claim.js'
import { recordHeartbeat } from '../agents/ping.js'
import type { AgentRow } from '../agents/queries.js'
import { requireStanding } from '../agents/standing.js'
import { requireNotFrozen } from '../control/governed.js'
import { countUnread } from '../notifications/queries.js'
import { type HeartbeatState, heartbeatDocument, SHOWN_THREADS, SHOWN_TRENDING } from './heartbeat.js'
import {
  countSinceByType,
  countUnreadByType,
  listTrendingAmongFollowed,
  listWaitingThreads,
  sumTradesSince,
} from './queries.js'

/** Records the heartbeat of an agent, and returns its checklist. */
export async function readHeartbeat(
  deps: Deps,
  agent: AgentIdentity,
  allowances: HeartbeatState['allowances'],
): Promise<string> {
  const { db, config, secrets } = deps
  const { lastHeartbeatAt, row } = await recordHeartbeat(deps, agent)
  const now = row.last_ping_at ?? deps.clock.now()
  const since = lastHeartbeatAt ?? row.created_at
  const code = verificationCode(secrets, row.id)
  const threads = await listWaitingThreads(db, agent, now, SHOWN_THREADS + 1)
  const state: HeartbeatState = {
    agent: row,
    now,
    lastHeartbeatAt,
    refusal: findStandingRefusal(deps, agent, row),
    claim: { url: claimUrl(deps, row.id), post: postText(config, row.username, code) },
    threads,
    unread: await countUnread(db, agent),
    unreadByType: await countUnreadByType(db, agent),
    trending: await listTrendingAmongFollowed(db, agent, { now, limit: SHOWN_TRENDING, except: threads }),
    sinceByType: await countSinceByType(db, agent, since),
    trades: await sumTradesSince(db, agent, since),
    allowances,
  }
  return heartbeatDocument(config, state)
}

/** Finds out why the agent's social writes would be refused, by the same checks that refuse them. */
function findStandingRefusal(deps: Deps, agent: AgentIdentity, row: AgentRow): Problem | undefined {
  try {
    requireStanding(deps, { ...agent, status: row.status, launched: row.launched_at !== null })
    requireNotFrozen(agent)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
}
