import type { Network } from '../../base/network.js'
import type { Admitted } from './admitted.js'
import type { AgentIdentity } from './agent-identities.js'
import type { OwnerIdentity, SessionIdentity } from './session-tokens.js'

/** The caller of a request: an agent, an owner, a wallet without a login, or anyone else. */
export type Caller =
  | { readonly kind: 'agent'; readonly agent: AgentIdentity }
  | { readonly kind: 'owner'; readonly owner: OwnerIdentity; readonly session: SessionIdentity }
  | { readonly kind: 'wallet'; readonly wallet: `0x${string}`; readonly session: SessionIdentity }
  | { readonly kind: 'anyone' }

/** The caller behind a session. */
export function callerOf(session: SessionIdentity): Caller {
  const { owner, wallet } = session
  if (owner) return { kind: 'owner', owner, session }
  return wallet === null ? { kind: 'anyone' } : { kind: 'wallet', wallet, session }
}

/** What a call of this caller is admitted with; undefined for anyone. */
export function admittedOf(caller: Caller): Admitted | undefined {
  if ('session' in caller) return { sessionId: caller.session.sessionId }
  if (caller.kind !== 'agent' || caller.agent.keyId === null) return undefined
  return { keyId: caller.agent.keyId, standing: caller.agent.standing }
}

/**
 * Identifies a caller in counters: by agent, owner or client network. Wallets cost nothing to make, so one that
 * has signed in shares the allowances of its network.
 */
export function callerName(caller: Caller, network: Network): string {
  if (caller.kind === 'agent') return `agent:${caller.agent.id}`
  if (caller.kind === 'owner') return `owner:${caller.owner.id}`
  return `address:${network}`
}

/** Whether a caller is known by its network alone. */
export function isByNetwork({ kind }: Caller): boolean {
  return kind !== 'agent' && kind !== 'owner'
}
