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
  /** The agents that stay, without an owner. */
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
  if (sought.kind === 'agent') return [sought.username, ...(sought.xHandle === null ? [] : [sought.xHandle])]
  return sought.kind === 'owner' ? sought.handles : []
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

/** Whether stored JSON, `column`, has one of the texts as a whole value. */
export function hasValue(column: Sql, values: readonly string[]): Sql {
  const patterns = values.map((value) => `%"${value.replace(/[\\%_]/g, '\\$&')}"%`)
  return sql`${column}::text ilike any(${patterns}::text[])`
}

/** A pattern of PostgreSQL for the names after `@`, of which no other name is a part. */
export function namePattern(names: readonly string[]): string {
  // A username and a handle have nothing that means something in a pattern.
  return `@(?:${names.filter((name) => /^\w+$/.test(name)).join('|') || '$^'})(?![A-Za-z0-9_])`
}
