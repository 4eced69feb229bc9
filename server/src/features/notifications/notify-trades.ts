import type { NotifiedTrade } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Clock, Ids } from '../../base/clock.js'
import type { Db } from '../../foundation/db/db.js'
import { literal, requestRows } from '../../foundation/db/literal.js'
import type { EventLog } from '../../foundation/events/log.js'
import { notificationInsert, removeNotifications } from './actions.js'

/** A trade of the shares of the agent with this subject. */
export interface TradedShares {
  readonly subject: string
  readonly isBuy: boolean
  readonly trade: NotifiedTrade
}

/**
 * Notifies agents of trades of their shares, except by their own wallets. A trader's wallet with several agents stands
 * for the oldest.
 */
export async function notifyOfTrades(
  db: Db,
  { clock, ids, events }: { clock: Clock; ids: Ids; events: EventLog },
  trades: readonly TradedShares[],
): Promise<void> {
  if (trades.length === 0) return
  const rows = trades.map(({ subject, isBuy, trade }) => ({
    notification_id: ids.next(),
    subject,
    type: isBuy ? 'SHARE_BOUGHT' : 'SHARE_SOLD',
    trade,
  }))
  await db.run(sql`
    with traded as (${requestRows(rows, sql`notification_id uuid, subject text, type text, trade jsonb`)}),
    ${notificationInsert(
      sql`select agent.id as agent_id, traded.type, trader.id as actor_id, null::uuid as tweet_id, null::text as audience,
        notification_id, trade
        from traded join agent on agent.subject = traded.subject and agent.wallet_address <> trade->>'traderAddress'
        left join lateral (
          select id from agent where wallet_address = trade->>'traderAddress' order by created_at, id limit 1) trader on true`,
      clock.now(),
      { causeId: sql`(trade->>'id')::uuid`, trade: sql`trade` },
    )}
    select`)
  events.announce(db)
}

/** Withdraws the notifications of trades that a reorganisation of the chain has removed. */
export async function withdrawTrades(db: Db, tradeIds: readonly string[]): Promise<void> {
  if (tradeIds.length === 0) return
  await removeNotifications(
    db,
    sql`select agent_id, id from notification
      where cause_id = any(${literal(tradeIds)}::uuid[]) and type in ('SHARE_BOUGHT', 'SHARE_SOLD')`,
  )
}
