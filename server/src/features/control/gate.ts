import { Problem } from '../../base/problem.js'
import { type NewAuditEntry, recordAudit } from '../../foundation/audit/actions.js'
import { whileAdmitted } from '../../foundation/callers/admitted.js'
import type { OwnerIdentity } from '../../foundation/callers/session-tokens.js'
import { DatabaseAway } from '../../foundation/db/away.js'
import type { Db } from '../../foundation/db/db.js'
import { requireStanding } from '../agents/standing.js'
import { getActingAgent } from '../owners/acting-agent.js'
import {
  actionOf,
  auditFields,
  type GateDeps,
  type GovernedCall,
  requireAllowed,
  requireNotFrozen,
  type Work,
} from './governed.js'
import { postUnderRules } from './posts.js'
import { tradeUnderRules } from './trades.js'

/**
 * The only place that enforces the owners' rules. Every call of an endpoint with an action passes through here. The gate
 * refuses frozen agents and forbidden actions, charges the caps, requests approvals from owners, and records everything
 * in the audit log.
 */
export interface Gate {
  /** Refuses a frozen agent, before any other check. */
  admit(call: GovernedCall): Promise<void>
  /** Runs the work under the rules, and records it in the transaction of the change. */
  run(call: GovernedCall, input: object, work: Work): Promise<unknown>
}

export function createGate(deps: GateDeps): Gate {
  /** Runs a step and records its refusal, before the caller gets the error. */
  async function recordRefusal<T>(call: GovernedCall, step: () => Promise<T>): Promise<T> {
    try {
      return await step()
    } catch (error) {
      const agentId = call.agent?.id
      if (agentId !== undefined && error instanceof Problem && ruleViolations.has(error.code))
        await recordAudit(deps.db, deps, {
          ...auditFields(call),
          // Whoever is refused may have lost everything.
          admitted: undefined,
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
      recordRefusal(call, async () => {
        // Reading a price is not a write but preparing a trade is, and only the input tells which one this is.
        if (call.endpoint.charge !== 'trade' && call.agent) requireNotFrozen(call.agent)
      }),

    run: (call, input, work) =>
      recordRefusal(call, async () => {
        const { agent, owner, endpoint } = call
        if (endpoint.charge === 'trade') return tradeUnderRules(deps, call, input, work)
        if (owner) return runAndRecord(deps, call, await getOwnerActor(deps, call, owner), input, work)
        if (!agent) return work(whileAdmitted(deps.db, call.admitted))
        requireAllowed(agent, actionOf(endpoint, input))
        if (endpoint.charge === 'post' && agent.asksBeforePosts)
          return postUnderRules(deps, { ...call, agent }, input, work)
        return runAndRecord(deps, call, { agentId: agent.id, actor: 'agent' }, input, work)
      }),
  }
}

const ruleViolations = new Set<string>([
  'AGENT_FROZEN',
  'ACTION_NOT_ALLOWED',
  'CAP_REACHED',
  'APPROVAL_MISMATCH',
  'WALLET_GOVERNED',
])

/** Owners are not bound by their own rules, but what they do on behalf of an agent is recorded too. */
async function getOwnerActor(deps: GateDeps, call: GovernedCall, owner: OwnerIdentity): Promise<Actor> {
  const agent = await getActingAgent(deps.db, { kind: 'owner', owner })
  if (call.endpoint.standing) requireStanding(deps, agent)
  return { agentId: agent.id, actor: 'owner' }
}

/** The agent in whose audit log a call is recorded, and who made the call. */
type Actor = Pick<NewAuditEntry, 'agentId' | 'actor'>

/** Runs the work on a handle whose first transaction also inserts the audit entry, unless the work takes the entry itself. */
async function runAndRecord(
  deps: GateDeps,
  { name, endpoint, admitted, requestId }: GovernedCall,
  { agentId, actor }: Actor,
  input: object,
  work: Work,
): Promise<unknown> {
  const { db } = deps
  const { summary } = endpoint
  const entry: NewAuditEntry = { agentId, actor, action: name, target: targetOf(input), summary, requestId, admitted }
  const record = (db: Db) => recordAudit(db, deps, entry)
  let isRecorded = false
  let isCommitted = false
  const recording: Db = {
    ...db,
    async transaction(change) {
      const isFirst = !isRecorded
      const result = await db.transaction(async (db) => {
        const result = await change(db)
        if (isFirst) await record(db)
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
    // The change itself was committed; only what came after it failed.
    if (isCommitted && error instanceof DatabaseAway) throw new DatabaseAway(error.message, { mayBeDone: true })
    throw error
  }
}

function targetOf(input: object): string | undefined {
  const { id } = input as { id?: unknown }
  return typeof id === 'string' ? id : undefined
}
