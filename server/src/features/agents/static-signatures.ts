import sql from 'sql-template-tag'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import type { Purpose } from './challenges.js'

/** What a static text was signed for: by whom, and the name in it, if it has one. */
export interface StaticText {
  readonly wallet: string
  readonly purpose: Purpose
  readonly name?: string
}

/** Spends the signature of a static text, which never changes; of several who try at once, one succeeds. */
export async function spendStaticSignature(db: Db, { wallet, purpose, name = '' }: StaticText): Promise<void> {
  const spent = await db.run(sql`
    insert into static_signature (wallet_address, purpose, name) values (${wallet}, ${purpose}, ${name})
    on conflict do nothing`)
  if (spent === 0) throw new Problem('SIGNATURE_ALREADY_USED')
}
