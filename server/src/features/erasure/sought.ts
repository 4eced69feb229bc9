import sql, { type Sql } from 'sql-template-tag'

/** What an erasure of an agent looks for: the row has it no more. */
export interface AgentSought {
  readonly kind: 'agent'
  readonly id: string
  readonly username: string
  readonly name: string
  readonly wallet: `0x${string}`
  readonly subject: `0x${string}`
  readonly xHandle: string | null
}

/** What an erasure of an owner looks for. */
export interface OwnerSought {
  readonly kind: 'owner'
  /** Null for somebody who vouches for an agent and has never logged in. */
  readonly id: string | null
  readonly xId: string | null
  /** In lower case. */
  readonly handles: readonly string[]
  /** The agents that they vouch for, and those that only say so. */
  readonly agentIds: readonly string[]
}

export interface WalletSought {
  readonly kind: 'wallet'
  /** In lower case. */
  readonly wallet: `0x${string}`
}

export type Sought = AgentSought | OwnerSought | WalletSought

/** The names after `@` that leave the texts of this service. */
export function namesOf(sought: Sought): readonly string[] {
  if (sought.kind === 'agent') return [sought.username]
  return sought.kind === 'owner' ? sought.handles : []
}

/** The one text that stands for nothing else, wherever it is. */
export function idOf(sought: Sought): string {
  if (sought.kind === 'wallet') return sought.wallet
  return sought.id ?? `@${sought.kind === 'owner' ? sought.handles[0] : ''}`
}

/** Whole texts that name it: ids, addresses, names. */
export function keysOf(sought: Sought): readonly string[] {
  if (sought.kind === 'agent') return [sought.id, sought.username, sought.wallet]
  if (sought.kind === 'wallet') return [sought.wallet]
  return [...sought.handles, ...(sought.id === null ? [] : [sought.id]), ...(sought.xId === null ? [] : [sought.xId])]
}

/** How the caller is named in `report.reporter` and at the beginning of the scope of an idempotent answer. */
export function callerKeyOf(sought: Sought): string {
  return sought.kind === 'wallet' ? `wallet:${sought.wallet}` : `${sought.kind}:${sought.id}`
}

/** Whether stored JSON, `column`, has one of these members anywhere with one of the names as its value or in its list. */
export function hasName(column: Sql, members: readonly string[], names: readonly string[]): Sql {
  const pattern = JSON.stringify(`^(?:${onlyNames(names)})$`)
  const paths = members.map((member) => `exists ($.**."${member}" ? (@ like_regex ${pattern} flag "i"))`)
  return sql`jsonb_path_match(${column}, ${paths.join(' || ')}::jsonpath)`
}

/** A pattern of PostgreSQL for the names after `@`, of which no other name is a part. */
export function namePattern(names: readonly string[]): string {
  return `@(?:${onlyNames(names)})(?![A-Za-z0-9_])`
}

/** A username and a handle have nothing that means something in a pattern. What never matches, where there is none. */
function onlyNames(names: readonly string[]): string {
  return names.filter((name) => /^\w+$/.test(name)).join('|') || '$^'
}
