import type { Db } from '../../foundation/db/db.js'
import type { OutsideNotice } from '../notifications/notify-trades.js'
import type { EventsByKind } from './event-rows.js'

/** Trades and transfers, each kind in the order of the chain. */
export type Movements = Pick<EventsByKind, 'trades' | 'transfers'>

/** Watches what wallets do on the chain, in the transactions that store it. */
export interface TradeWatch {
  /** Returns the notifications to write with those of the same blocks. */
  applied(db: Db, movements: Movements): Promise<OutsideNotice[]>
  /** A reorganisation of the chain has removed these. */
  undone(db: Db, movements: Movements): Promise<void>
}
