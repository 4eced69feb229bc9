import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../db/db.js'

// Any number that no other lock on a text uses.
const BAN_LOCK = 4_217

/** Refuses a wallet that is banned. */
export async function requireNoBan(db: Db, wallet: string): Promise<void> {
  if (await isBanned(db, wallet)) throw new Problem('WALLET_BANNED')
}

/** The same in the transaction that lets the wallet in. */
export async function requireNoBanYet(db: Db, wallet: string): Promise<void> {
  if (await isBannedYet(db, wallet)) throw new Problem('WALLET_BANNED')
}

/**
 * Whether a wallet is banned, for the transaction that lets it in: a ban waits for the end of the transaction, or the
 * transaction for the ban.
 */
export async function isBannedYet(db: Db, wallet: string): Promise<boolean> {
  await db.run(sql`select pg_advisory_xact_lock_shared(${BAN_LOCK}, hashtext(${wallet.toLowerCase()}))`)
  return isBanned(db, wallet)
}

async function isBanned(db: Db, wallet: string): Promise<boolean> {
  const ban = await db.find(sql`select from wallet_ban where wallet = ${wallet.toLowerCase()} and lifted_at is null`)
  return ban !== undefined
}

/** Waits for the transactions that let a wallet in, and keeps others waiting. */
export async function lockWallet(db: Db, wallet: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(${BAN_LOCK}, hashtext(${wallet}))`)
}
