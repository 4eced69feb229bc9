import type { Withheld } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import type { Nullable, Row } from '../../foundation/db/row.js'
import { listUnsettledSkills, restoreSkill, withholdSkill } from '../skills/withhold.js'
import { restoreTweets, withholdTweets } from '../tweets/withhold.js'

/** The most tweets that one transaction takes down or brings back. */
const TWEETS_AT_ONCE = 100
/** The same for items, each of which takes a few statements. */
const SKILLS_AT_ONCE = 50
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** How far what an agent made follows its status; without `before`, nothing does yet. */
export interface SettleProgress {
  readonly agentId: string
  readonly isSuspended?: boolean
  readonly before?: string
}

type SettleDeps = Pick<Deps, 'clock' | 'events' | 'queue'>

/**
 * Takes down some of what a suspended agent made, newest first, or brings it back once it is no longer suspended. Reads the
 * status each time and starts over when it has changed, so that it does not matter how many workers do this at once.
 * Returns the progress; undefined when nothing is left.
 */
export async function settleAgent(
  db: Db,
  deps: SettleDeps,
  progress: SettleProgress,
): Promise<SettleProgress | undefined> {
  const { agentId } = progress
  // The lock makes a change of the status wait, so that what is done here is what the status says at the commit.
  const agent = await db.find<Row<'agent', 'status'> & Nullable<Prefix>>(sql`
    select status, decision.id as decision_id, decision.reason from agent
    left join lateral (
      select id, reason from decision
      where target_type = 'agent' and target_id = ${agentId} and decision = 'suspend' order by id desc limit 1) decision on true
    where agent.id = ${agentId} for no key update of agent`)
  if (!agent) return undefined
  const isSuspended = agent.status === 'suspended'
  const isContinued = progress.isSuspended === isSuspended && progress.before !== undefined
  const before = isContinued ? (progress.before ?? LAST_ID) : LAST_ID
  const why: Withheld = { reason: agent.reason ?? 'The agent is suspended.', decisionId: agent.decision_id }
  const hasMoreSkills = await settleSkills(db, deps, agentId, isSuspended ? why : undefined)
  const isOut = sql`coalesce(withheld->'suspension' is not null, false)`
  const rows = await db.many<Row<'tweet', 'id'>>(sql`
    select id from tweet where agent_id = ${agentId} and id < ${before} and ${isOut} <> ${isSuspended}
    order by id desc limit ${TWEETS_AT_ONCE}`)
  const ids = rows.map(({ id }) => id)
  const last = ids.at(-1)
  if (last === undefined) return hasMoreSkills ? { agentId, isSuspended, before } : undefined
  // Live readers are told about the newest alone, which they may show or have shown.
  if (isSuspended) await withholdTweets(db, deps, ids, 'suspension', why, !isContinued)
  else await restoreTweets(db, deps, ids, 'suspension', !isContinued)
  return { agentId, isSuspended, before: last }
}

interface Prefix {
  readonly decision_id: string
  readonly reason: string
}

/** Takes some items down, or without `why` brings them back. Returns whether there may be more. */
async function settleSkills(db: Db, deps: SettleDeps, agentId: string, why: Withheld | undefined): Promise<boolean> {
  const ids = await listUnsettledSkills(db, agentId, why !== undefined, SKILLS_AT_ONCE)
  for (const id of ids)
    if (why) await withholdSkill(db, id, 'suspension', why)
    else await restoreSkill(db, deps, id, 'suspension')
  return ids.length === SKILLS_AT_ONCE
}
