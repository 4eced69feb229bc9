import type { AgentAction, Endpoint, PendingApproval } from '@rookery/api'
import { Problem } from '../../base/problem.js'
import type { Deps } from '../../deps.js'
import type { CallEntry } from '../../foundation/audit/actions.js'
import type { Admitted } from '../../foundation/callers/admitted.js'
import type { AgentIdentity } from '../../foundation/callers/agent-identities.js'
import type { OwnerIdentity } from '../../foundation/callers/session-tokens.js'
import type { Db } from '../../foundation/db/db.js'
import type { NewTweet } from '../tweets/check.js'

/** A call of an endpoint that has an action, with its caller. */
export interface GovernedCall {
  readonly name: string
  readonly endpoint: Endpoint
  readonly agent: AgentIdentity | undefined
  readonly owner: OwnerIdentity | undefined
  readonly admitted: Admitted | undefined
  readonly requestId: string
}

/**
 * The endpoint's work, on the given database handle. A write that is batched with others takes the audit entry and
 * inserts it itself; without an entry, the gate records the write.
 */
export type Work = (db: Db, entry?: CallEntry) => unknown

/** The answer to a call that waits for its owner instead of being done. */
export class Waiting {
  constructor(readonly approval: PendingApproval) {}
}

export type GateDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'log' | 'chain' | 'events' | 'config' | 'secrets' | 'queue'>

export function requireNotFrozen({ frozen }: AgentIdentity): void {
  if (frozen) throw new Problem('AGENT_FROZEN')
}

export function requireAllowed({ allowedActions }: AgentIdentity, action: AgentAction): void {
  if (allowedActions === null || allowedActions.includes(action)) return
  const allowed = allowedActions.length === 0 ? 'nothing' : allowedActions.join(', ')
  throw new Problem('ACTION_NOT_ALLOWED', {
    message: `The owner does not allow this agent to ${action.replaceAll('_', ' ')}. Allowed: ${allowed}.`,
  })
}

/** The action of a call: for tweets it depends on the input. */
export function actionOf({ action }: Endpoint, input: object): AgentAction {
  if (action === undefined) throw new Error('The endpoint has no action')
  if (action !== 'tweet') return action
  const { type, parentTweetId, content, medias } = input as Partial<NewTweet>
  // A repost with content of its own counts as a post.
  if (type === 'REPOST') return content?.trim() || medias?.length ? 'post' : 'repost'
  return type === 'REPLY' || (type === undefined && parentTweetId !== undefined) ? 'reply' : 'post'
}

export type AgentCall = GovernedCall & { readonly agent: AgentIdentity }

/** The fields that all audit entries about a call share. */
export function auditFields({ name, requestId, admitted }: Pick<GovernedCall, 'name' | 'requestId' | 'admitted'>) {
  return { actor: 'agent' as const, action: name, requestId, admitted }
}
