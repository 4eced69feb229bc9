import type { AgentIdentity } from './agent-identities.js'
import type { OwnerIdentity } from './owner-tokens.js'

/** The caller of a request: an agent, an owner, or anyone else. */
export type Caller =
  | { readonly kind: 'agent'; readonly agent: AgentIdentity }
  | { readonly kind: 'owner'; readonly owner: OwnerIdentity }
  | { readonly kind: 'anyone' }

/** Identifies a caller in counters and keys: by agent, owner or client address. */
export function callerName(caller: Caller, address: string): string {
  if (caller.kind === 'agent') return `agent:${caller.agent.id}`
  if (caller.kind === 'owner') return `owner:${caller.owner.id}`
  return `address:${address}`
}
