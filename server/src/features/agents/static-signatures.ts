import sql from 'sql-template-tag'
import type { Clock } from '../../base/clock.js'
import { Problem } from '../../base/problem.js'
import type { Db } from '../../foundation/db/db.js'
import { type HeldName, isHeld } from '../../foundation/held-names.js'
import type { Secrets } from '../../foundation/secrets.js'
import type { Purpose } from './challenges.js'

/** A signed static text: its signer, its purpose, and the name in it, if any. */
export interface StaticText {
  readonly wallet: string
  readonly purpose: Extract<Purpose, 'register' | 'recover'>
  readonly name?: string
}

type SpendDeps = { readonly secrets: Pick<Secrets, 'hash'>; readonly clock: Clock }

/** What stays of a spent signature when its wallet or agent is erased. */
export function heldSignature({ wallet, purpose, name = '' }: StaticText): HeldName {
  return `signature ${wallet} ${purpose} ${name}`
}

/** Refuses a static text whose signature is spent, where it is not spent yet. */
export async function requireUnspent(db: Db, deps: SpendDeps, text: StaticText): Promise<void> {
  const { wallet, purpose, name = '' } = text
  const row = await db.find(sql`
    select from static_signature where wallet_address = ${wallet} and purpose = ${purpose} and name = ${name}`)
  if (row || (await isHeld(db, deps, heldSignature(text)))) throw new Problem('SIGNATURE_ALREADY_USED')
}

/** Spends the signature of a static text, which could otherwise be replayed. Of several parallel calls, one succeeds. */
export async function spendStaticSignature(db: Db, deps: SpendDeps, text: StaticText): Promise<void> {
  const { wallet, purpose, name = '' } = text
  const spent = await db.run(sql`
    insert into static_signature (wallet_address, purpose, name) values (${wallet}, ${purpose}, ${name})
    on conflict do nothing`)
  if (spent === 0 || (await isHeld(db, deps, heldSignature(text)))) throw new Problem('SIGNATURE_ALREADY_USED')
}
