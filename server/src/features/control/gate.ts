import { Problem } from '../../base/problem.js'
import { type NewAuditEntry, recordAudit } from '../../foundation/audit/actions.js'
import type { OwnerIdentity } from '../../foundation/callers/owner-tokens.js'
import { DatabaseAway } from '../../foundation/db/away.js'
import type { Db } from '../../foundation/db/db.js'
import { requireStanding } from '../agents/standing.js'
import { getActingAgent } from '../owners/acting-agent.js'
import {
  actionOf,
  type GateDeps,
  type GovernedCall,
  lineOf,
  requireAllowed,
  requireFree,
  type Work,
} from './governed.js'
import { postUnderRules } from './posts.js'
import { tradeUnderRules } from './trades.js'

/**
 * The one place where owners' rules hold. Every call of an endpoint with an action passes through here: a frozen agent
 * is refused, what is not allowed is refused, caps are charged, what needs the owner's word is put before the owner, and
 * all of it is recorded.
 */
export interface Gate {
  /** Refuses a frozen agent, before anything else is looked at. */
  admit(call: GovernedCall): Promise<void>
  /** Does the work under the rules, and records it in the transaction of the change. */
  run(call: GovernedCall, input: object, work: Work): Promise<unknown>
}

export function createGate(deps: GateDeps): Gate {
  /** Runs a step; a refusal of it is in the log before the caller hears of it. */
  async function recorded<T>(call: GovernedCall, step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      const agentId = call.agent?.id
      if (agentId !== undefined && error instanceof Problem && byRule.has(error.code))
        await recordAudit(deps.db, deps, {
          ...lineOf(call),
          agentId,
          outcome: 'refused',
          code: error.code,
          summary: `${call.endpoint.summary}: ${error.message}`,
        })
      throw error
    }
  }

  return {
    admit: (call) =>
      recorded(call, async () => {
        // Reading a price is not a write; preparing a trade is, and that is seen when its input is known.
        if (call.endpoint.charge !== 'trade' && call.agent) requireFree(call.agent)
      }),

    run: (call, input, work) =>
      recorded(call, async () => {
        const { agent, owner, endpoint } = call
        if (endpoint.charge === 'trade') return tradeUnderRules(deps, call, input, work)
        if (owner) return recordingWork(deps, call, await byOwner(deps, call, owner), input, work)
        if (!agent) return work(deps.db)
        requireAllowed(agent, actionOf(endpoint, input))
        if (endpoint.charge === 'post' && agent.asksBeforePosts)
          return postUnderRules(deps, { ...call, agent }, input, work)
        return recordingWork(deps, call, { agentId: agent.id, actor: 'agent' }, input, work)
      }),
  }
}

const byRule = new Set<string>([
  'AGENT_FROZEN',
  'ACTION_NOT_ALLOWED',
  'CAP_REACHED',
  'APPROVAL_MISMATCH',
  'WALLET_GOVERNED',
])

/** Owners are not under their own rules, but what they do in the name of an agent is on record all the same. */
async function byOwner(deps: GateDeps, call: GovernedCall, owner: OwnerIdentity): Promise<Doer> {
  const agent = await getActingAgent(deps.db, { kind: 'owner', owner })
  if (call.endpoint.standing) requireStanding(deps, agent)
  return { agentId: agent.id, actor: 'owner' }
}

/** In whose log a call stands, as whose deed. */
type Doer = Pick<NewAuditEntry, 'agentId' | 'actor'>

/** Does the work on a handle whose first transaction also adds the line to the log, unless the work takes it along. */
async function recordingWork(
  deps: GateDeps,
  { name, endpoint, requestId }: GovernedCall,
  { agentId, actor }: Doer,
  input: object,
  work: Work,
): Promise<unknown> {
  const { db } = deps
  const { summary } = endpoint
  const entry: NewAuditEntry = { agentId, actor, action: name, target: targetOf(input), summary, requestId }
  const record = (db: Db) => recordAudit(db, deps, entry)
  let isRecorded = false
  let isCommitted = false
  const recording: Db = {
    ...db,
    async transaction(change) {
      if (isRecorded) return db.transaction(change)
      const result = await db.transaction(async (db) => {
        const result = await change(db)
        await record(db)
        return result
      })
      isRecorded = true
      isCommitted = true
      return result
    },
  }
  const take = () => {
    isRecorded = true
    return entry
  }
  try {
    const answer = await work(recording, { take })
    if (!isRecorded) await record(db)
    return answer
  } catch (error) {
    // What came after the change failed, not the change.
    if (isCommitted && error instanceof DatabaseAway) throw new DatabaseAway(error.message, { mayBeDone: true })
    throw error
  }
}

function targetOf(input: object): string | undefined {
  const { id } = input as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}
