import type { Deps } from '../../deps.js'
import type { Db } from '../../foundation/db/db.js'
import { type EventsByKind, listTradeEvents } from './event-rows.js'
import { appendTradeEvents } from './events.js'

type ReactionDeps = Pick<Deps, 'events'>

/** Blocks after `from`, up to `to`. */
export interface Blocks {
  readonly from: number
  readonly to: number
}

/** What happened, and whether it is too old to tell anybody. */
export interface Applied extends EventsByKind {
  readonly catchingUp: boolean
}

/** Called in the transaction that wrote the events: what other features make of them. */
export async function afterApplied({ events }: ReactionDeps, db: Db, { catchingUp, trades }: Applied): Promise<void> {
  if (!catchingUp) await appendTradeEvents(events, db, 'trade.pending', trades)
}

/** Called in the transaction that took the events back. */
export async function afterUndone({ events }: ReactionDeps, db: Db, { trades }: EventsByKind): Promise<void> {
  await appendTradeEvents(events, db, 'trade.reverted', trades.toReversed())
}

/** Called in the transaction in which blocks became confirmed. */
export async function afterConfirmed({ events }: ReactionDeps, db: Db, blocks: Blocks): Promise<void> {
  await appendTradeEvents(events, db, 'trade.confirmed', await listTradeEvents(db, blocks))
}

/** Called in the transaction in which blocks became final. */
export async function afterFinal({ events }: ReactionDeps, db: Db, blocks: Blocks): Promise<void> {
  await appendTradeEvents(events, db, 'trade.final', await listTradeEvents(db, blocks))
}
