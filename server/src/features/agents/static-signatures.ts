import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import type { Purpose } from './challenges.js'

/** A signed static text: its signer, its purpose, and the name in it, if any. */
export interface StaticText {
  readonly wallet: string
  readonly purpose: Extract<Purpose, 'register' | 'recover'>
  readonly name?: string
}

/** Refuses a static text whose signature is spent, where it is not spent yet. */
export async function requireUnspent(db: Db, { wallet, purpose, name = '' }: StaticText): Promise<void> {
  const row = await db.find(sql`
    select from static_signature where wallet_address = ${wallet} and purpose = ${purpose} and name = ${name}`)
  if (row) throw new Problem('SIGNATURE_ALREADY_USED')
}

/** Spends the signature of a static text, which could otherwise be replayed. Of several parallel calls, one succeeds. */
export async function spendStaticSignature(db: Db, { wallet, purpose, name = '' }: StaticText): Promise<void> {
  const spent = await db.run(sql`
    insert into static_signature (wallet_address, purpose, name) values (${wallet}, ${purpose}, ${name})
    on conflict do nothing`)
  if (spent === 0) throw new Problem('SIGNATURE_ALREADY_USED')
}
