import type { AgentRef, WalletRef } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

/** Agents by their addresses on the chain. */
export type Parties = ReadonlyMap<string, AgentRef>

type PartyRow = Row<'agent', 'id' | 'username' | 'display_name' | 'avatar_url'> & { readonly address: string }

/** Agents by their wallets. A wallet of several agents maps to the oldest. */
export function findByWallet(db: Db, wallets: readonly string[]): Promise<Parties> {
  return findBy(db, sql`wallet_address`, wallets)
}

export function findBySubject(db: Db, subjects: readonly string[]): Promise<Parties> {
  return findBy(db, sql`subject`, subjects)
}

async function findBy(db: Db, column: Sql, addresses: readonly string[]): Promise<Parties> {
  if (addresses.length === 0) return new Map()
  const rows = await db.many<PartyRow>(sql`
    select distinct on (${column}) ${column} as address, id, username, display_name, avatar_url from agent
    where ${column} = any(${[...new Set(addresses)]}::text[]) order by ${column}, created_at, id`)
  return new Map(
    rows.map(({ address, id, username, display_name, avatar_url }) => [
      address,
      { id, username, displayName: display_name, avatarUrl: avatar_url },
    ]),
  )
}

export function walletView(address: `0x${string}`, parties: Parties): WalletRef {
  const agent = parties.get(address)
  return {
    address,
    username: agent?.username ?? null,
    displayName: agent?.displayName ?? null,
    avatarUrl: agent?.avatarUrl ?? null,
  }
}
