import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../db/db.js'

// Any number that no other lock on a text uses.
const BAN_LOCK = 4_217

/** Refuses a wallet that is banned. */
export async function requireNoBan(db: Db, wallet: string): Promise<void> {
  const ban = await db.find(sql`select from wallet_ban where wallet = ${wallet.toLowerCase()} and lifted_at is null`)
  if (ban) throw new Problem('WALLET_BANNED')
}

/**
 * Refuses a wallet that is banned, in the transaction that lets it in: a ban waits for the end of the transaction, or the
 * transaction for the ban.
 */
export async function requireNoBanYet(db: Db, wallet: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock_shared(${BAN_LOCK}, hashtext(${wallet.toLowerCase()}))`)
  await requireNoBan(db, wallet)
}

/** Waits for the transactions that let a wallet in, and keeps others waiting. */
export async function lockWallet(db: Db, wallet: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(${BAN_LOCK}, hashtext(${wallet}))`)
}
