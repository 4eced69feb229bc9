import type { Db } from '../db/db.js'
import type { Deps } from '../deps.js'
import type { EventsByKind } from './event-rows.js'

type Sees = Pick<Deps, 'identities' | 'log'>

/** What happened, and whether it is too old to tell anybody. */
export interface Applied extends EventsByKind {
  readonly catchingUp: boolean
}

/** Called in the transaction that wrote the events: what other features make of them. */
export async function afterApplied(_deps: Sees, _db: Db, _applied: Applied): Promise<void> {}

/** Called in the transaction that took the events back. */
export async function afterUndone(_deps: Sees, _db: Db, _undone: EventsByKind): Promise<void> {}

/** Called in the transaction in which blocks became confirmed: those after `from`, up to `to`. */
export async function afterConfirmed(_deps: Sees, _db: Db, _blocks: { from: number; to: number }): Promise<void> {}
