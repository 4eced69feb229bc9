import type { AgentIdentity } from './agent-identities.js'
import type { OwnerIdentity } from './owner-tokens.js'

/** Who calls: an agent, an owner, or nobody known. */
export type Caller =
  | { readonly kind: 'agent'; readonly agent: AgentIdentity }
  | { readonly kind: 'owner'; readonly owner: OwnerIdentity }
  | { readonly kind: 'anyone' }

/** Keeps callers apart in counters and keys: the agent, else the owner, else the client address. */
export function callerName(caller: Caller, address: string): string {
  if (caller.kind === 'agent') return `agent:${caller.agent.id}`
  if (caller.kind === 'owner') return `owner:${caller.owner.id}`
  return `address:${address}`
}
