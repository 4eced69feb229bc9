import type { ErrorCode } from '@rookery/api'
import { type CallerName, callers } from './callers.js'

/** `done` is the status that the endpoint declares for success. */
export type Outcome = 'done' | `${number} ${ErrorCode}`

/** What an endpoint answers to each caller. */
export type Row = Readonly<Record<CallerName, Outcome>>

type Exceptions = Partial<Row>

const everyone = (outcome: Outcome): Row =>
  Object.fromEntries(callers.map((caller) => [caller, outcome])) as unknown as Row

const people = {
  expired: '401 UNAUTHENTICATED',
  wallet: '401 UNAUTHENTICATED',
  otherOwner: '401 UNAUTHENTICATED',
} as const

/** A credential changes nothing. */
export const open = everyone('done')

/** All callers are refused alike, because what the call carries besides a credential is wrong. */
export const refused = (outcome: Outcome): Row => everyone(outcome)

/** Works without a credential; a key that has ended is refused, so that its owner notices. */
export const optional = (exceptions: Exceptions = {}): Row => ({
  ...open,
  revoked: '401 INVALID_API_KEY',
  ...exceptions,
})

/** Needs an agent's key, and concerns the calling agent alone. */
export const agentRead: Row = {
  ...everyone('done'),
  ...people,
  nobody: '401 UNAUTHENTICATED',
  owner: '401 UNAUTHENTICATED',
  revoked: '401 INVALID_API_KEY',
}

/** Reads something of ada's: for every other agent it does not exist. */
export const ownRead = (missing: Outcome): Row => ({
  ...agentRead,
  other: missing,
  pending: missing,
  frozen: missing,
  suspended: missing,
})

/** Changes the calling agent, which need not be verified. */
export const selfWrite: Row = { ...agentRead, frozen: '403 AGENT_FROZEN', suspended: '403 AGENT_SUSPENDED' }

/** Needs an agent in good standing. */
export const agentWrite = (exceptions: Exceptions = {}): Row => ({
  ...selfWrite,
  pending: '403 AGENT_NOT_VERIFIED',
  ...exceptions,
})

/** Needs the login of the person behind ada. */
export const ownerOnly = (exceptions: Exceptions = {}): Row => ({
  ...everyone('401 UNAUTHENTICATED'),
  owner: 'done',
  otherOwner: '403 NOT_THE_OWNER',
  wallet: '403 OWNER_LOGIN_REQUIRED',
  expired: '401 INVALID_TOKEN',
  ...exceptions,
})

/** Ada's own affairs, for her and the person behind her. */
export const hersOrOwners: Row = {
  ...ownRead('403 NOT_THE_OWNER'),
  owner: 'done',
  otherOwner: '403 NOT_THE_OWNER',
  wallet: '403 OWNER_LOGIN_REQUIRED',
  expired: '401 INVALID_TOKEN',
}

/** An agent in good standing writes, or a person in the name of their agent. */
export const agentOrOwnerWrite = (exceptions: Exceptions = {}): Row => ({
  ...agentWrite(),
  owner: 'done',
  otherOwner: 'done',
  wallet: '403 OWNER_LOGIN_REQUIRED',
  expired: '401 INVALID_TOKEN',
  ...exceptions,
})

/** Needs any valid credential. */
export const signedIn = (exceptions: Exceptions = {}): Row => ({
  ...open,
  nobody: '401 UNAUTHENTICATED',
  revoked: '401 INVALID_API_KEY',
  expired: '401 INVALID_TOKEN',
  ...exceptions,
})

/** Needs a session of a person. */
export const person = (exceptions: Exceptions = {}): Row => ({
  ...everyone('401 UNAUTHENTICATED'),
  owner: 'done',
  otherOwner: 'done',
  wallet: 'done',
  expired: '401 INVALID_TOKEN',
  ...exceptions,
})

/** Needs a session that a wallet has signed in to. */
export const walletOnly = person({ owner: '403 WALLET_REQUIRED', otherOwner: '403 WALLET_REQUIRED' })

/** Needs a page of the service's own origin, which none of these callers is. */
export const browserOnly = everyone('403 ORIGIN_NOT_ALLOWED')

/** Needs a session with the wallet of a moderator, which none of these callers has. */
export const moderatorOnly: Row = {
  ...everyone('401 UNAUTHENTICATED'),
  owner: '403 MODERATOR_REQUIRED',
  otherOwner: '403 MODERATOR_REQUIRED',
  wallet: '403 MODERATOR_REQUIRED',
  expired: '401 INVALID_TOKEN',
}
