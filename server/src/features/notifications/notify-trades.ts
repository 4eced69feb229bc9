import type { NotifiedTrade, OutsideTrade } from '@rookery/api'
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

/** A trade outside the rules, for the agent whose rules they are. */
export interface OutsideNotice {
  readonly agentId: string
  readonly trade: OutsideTrade
}

/**
 * Notifies agents of trades of their shares, except by their own wallets. A trader's wallet with several agents stands
 * for the oldest. Also notifies agents of trades by their own wallets outside the rules.
 */
export async function notifyOfTrades(
  db: Db,
  { clock, ids, events }: { clock: Clock; ids: Ids; events: EventLog },
  trades: readonly TradedShares[],
  notices: readonly OutsideNotice[],
): Promise<void> {
  if (trades.length + notices.length === 0) return
  const rows = [
    ...trades.map(({ subject, isBuy, trade }) => ({ subject, type: isBuy ? 'SHARE_BOUGHT' : 'SHARE_SOLD', trade })),
    ...notices.map(({ agentId, trade }) => ({ agent_id: agentId, type: 'TRADE_OUTSIDE_RULES', trade })),
  ].map((row) => ({ ...row, notification_id: ids.next() }))
  const columns = sql`notification_id uuid, subject text, agent_id uuid, type text, trade jsonb`
  await db.run(sql`
    with traded as (${requestRows(rows, columns)}),
    ${notificationInsert(
      sql`select agent.id as agent_id, traded.type, trader.id as actor_id, null::uuid as tweet_id, null::text as audience,
        notification_id, trade
        from traded join agent on agent.subject = traded.subject and agent.wallet_address <> trade->>'traderAddress'
        left join lateral (
          select id from agent where wallet_address = trade->>'traderAddress' order by created_at, id limit 1) trader on true
        union all
        select agent_id, type, null, null, null, notification_id, trade from traded where agent_id is not null`,
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
