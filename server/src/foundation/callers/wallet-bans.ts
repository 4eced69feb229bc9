import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../db/db.js'
import type { Secrets } from '../secrets.js'

// Any number that no other lock on a text uses.
const BAN_LOCK = 4_217

type BanSecrets = { readonly secrets: Pick<Secrets, 'hash'> }

/** How a ban names a wallet that was erased: by a keyed digest, so that the ban outlives it. */
export function erasedForm({ secrets }: BanSecrets, wallet: string): string {
  return `erased:${secrets.hash('erased', `ban ${wallet.toLowerCase()}`).toString('hex')}`
}

/** The names that a ban of a wallet may have. */
export function banForms(deps: BanSecrets, wallet: string): string[] {
  return [wallet.toLowerCase(), erasedForm(deps, wallet)]
}

/** Refuses a wallet that is banned. */
export async function requireNoBan(db: Db, deps: BanSecrets, wallet: string): Promise<void> {
  if (await isBanned(db, deps, wallet)) throw new Problem('WALLET_BANNED')
}

/** The same in the transaction that lets the wallet in. */
export async function requireNoBanYet(db: Db, deps: BanSecrets, wallet: string): Promise<void> {
  if (await isBannedYet(db, deps, wallet)) throw new Problem('WALLET_BANNED')
}

/**
 * Whether a wallet is banned, for the transaction that lets it in: a ban waits for the end of the transaction, or the
 * transaction for the ban.
 */
export async function isBannedYet(db: Db, deps: BanSecrets, wallet: string): Promise<boolean> {
  await db.run(sql`select pg_advisory_xact_lock_shared(${BAN_LOCK}, hashtext(${wallet.toLowerCase()}))`)
  return isBanned(db, deps, wallet)
}

async function isBanned(db: Db, deps: BanSecrets, wallet: string): Promise<boolean> {
  const forms = banForms(deps, wallet)
  const ban = await db.find(sql`select from wallet_ban where wallet = any(${forms}::text[]) and lifted_at is null`)
  return ban !== undefined
}

/** Waits for the transactions that let a wallet in, and keeps others waiting. */
export async function lockWallet(db: Db, wallet: string): Promise<void> {
  await db.run(sql`select pg_advisory_xact_lock(${BAN_LOCK}, hashtext(${wallet}))`)
}
