import type { AgentAction, OutsideTrade } from '@rookery/api'
import sql from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'
import type { Row } from '../../foundation/db/row.js'

/** Whether a row of rules restricts trades or transfers; `agent_control` and `trade_rule` have the same columns. */
const restrictsTrades = sql`(max_trade_wei is not null or max_daily_trade_wei is not null
  or approve_trades_above_wei is not null or not coalesce(allowed_actions @> array['trade', 'transfer'], true))`
export const hasTradeRules = sql`(frozen_at is not null or ${restrictsTrades})`

/** The rules on trades at one time. */
export type TradeRules = Omit<Row<'trade_rule'>, 'agent_id' | 'since'>

/** Finds the rules on an agent's trades at a time; undefined when its owner had never set any. */
export function findTradeRules(db: Db, agentId: string, at: Date): Promise<TradeRules | undefined> {
  return db.find<TradeRules>(sql`
    select is_frozen, max_trade_wei, max_daily_trade_wei, approve_trades_above_wei, allowed_actions from trade_rule
    where agent_id = ${agentId} and since <= ${at} order by since desc limit 1`)
}

/** How far the chain's clock may be behind ours. */
const SKEW_MS = 15_000

/**
 * Lists the agents of a wallet that were under trade rules at a time. An owner who has just lifted them is not told of a
 * trade made right after that, whose block seems older than it is. The agent `besides` is left out.
 */
export async function listGoverned(db: Db, wallet: string, at: Date, besides: string | null = null): Promise<string[]> {
  const rows = await db.many<{ id: string }>(sql`
    select agent.id from agent
    cross join lateral (
      select is_frozen or ${restrictsTrades} as governs from trade_rule
      where agent_id = agent.id and since <= ${at} order by since desc limit 1) then_in_force
    cross join lateral (
      select is_frozen or ${restrictsTrades} as governs from trade_rule
      where agent_id = agent.id and since <= ${new Date(at.getTime() + SKEW_MS)} order by since desc limit 1) soon_after
    where wallet_address = ${wallet} and then_in_force.governs and soon_after.governs
      and agent.id is distinct from ${besides}
    order by agent.id`)
  return rows.map(({ id }) => id)
}

/** What the rules have to know about a trade that was prepared here and happened. */
export interface SettledTrade {
  readonly action: Extract<AgentAction, 'trade' | 'transfer'>
  readonly worthWei: bigint
  readonly isApproved: boolean
  /** Sums up what the agent traded on that day, this included. */
  countDay(): Promise<bigint>
}

/** Why a trade breaks rules; undefined when it does not. */
export async function findBreach(rules: TradeRules, trade: SettledTrade): Promise<OutsideTrade['reason'] | undefined> {
  const isAbove = (wei: bigint, cap: string | null) => cap !== null && wei > BigInt(cap)
  if (rules.is_frozen) return 'frozen'
  if (rules.allowed_actions && !rules.allowed_actions.includes(trade.action)) return 'not_allowed'
  if (isAbove(trade.worthWei, rules.max_trade_wei)) return 'above_trade_cap'
  if (!trade.isApproved && isAbove(trade.worthWei, rules.approve_trades_above_wei)) return 'not_approved'
  if (rules.max_daily_trade_wei !== null && isAbove(await trade.countDay(), rules.max_daily_trade_wei))
    return 'above_daily_cap'
  return undefined
}
