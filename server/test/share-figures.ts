import sql from 'sql-template-tag'
import { isComing, type Move, openPosition, type Position } from '../src/features/shares/profit.js'
import type { Db } from '../src/foundation/db/db.js'

/** Reads everything that came from the chain, as text, so that two states can be compared. */
export async function readShareState(db: Db): Promise<Record<string, unknown[]>> {
  const rows = async (query: ReturnType<typeof sql>) => (await db.many<{ row: unknown }>(query)).map(({ row }) => row)
  return {
    trades: await rows(sql`select to_jsonb(trade) as row from trade order by position`),
    transfers: await rows(sql`select to_jsonb(share_transfer) as row from share_transfer order by position`),
    launches: await rows(sql`select to_jsonb(share_launch) as row from share_launch order by position`),
    claims: await rows(sql`select to_jsonb(fee_claim) as row from fee_claim order by position`),
    holdings: await rows(sql`select to_jsonb(share_holding) as row from share_holding order by subject, holder`),
    costs: await rows(sql`
      select to_jsonb(share_cost) || jsonb_build_object('came_wei', came_wei::text, 'cost_wei', cost_wei::text,
        'realised_wei', realised_wei::text, 'paid_wei', paid_wei::text, 'oldest_wei', oldest_wei::text) as row
      from share_cost order by position, wallet`),
    candles: await rows(sql`
      select to_jsonb(share_candle) || jsonb_build_object('volume_wei', volume_wei::text) as row
      from share_candle order by subject, minutes, start_at`),
    traders: await rows(sql`select to_jsonb(trader) as row from trader order by address`),
    totals: await rows(sql`select to_jsonb(trade_total) as row from trade_total`),
    agents: await rows(sql`
      select jsonb_build_object('subject', subject, 'supply', supply, 'holders', holders_count, 'price', price_wei,
        'volume', volume_wei, 'trades', trades_count, 'launched', launched_at, 'value', holding_value_wei,
        'dayAgo', day_supply, 'dayMoves', day_moves_at,
        'trend', case when trades_count = 0 then 0 else round(trend::numeric, 4) end) as row
      from agent join agent_trend on agent_trend.agent_id = agent.id order by subject`),
  }
}

/** Computes the same figures only from the rows of trades, transfers and launches. */
export async function rebuildFigures(db: Db): Promise<Record<string, unknown[]>> {
  const rows = async (query: ReturnType<typeof sql>) => (await db.many<{ row: unknown }>(query)).map(({ row }) => row)
  const moves = sql`(
    select subject, trader as holder, case when is_buy then amount else -amount end as moved from trade
    union all select subject, sender, -amount from share_transfer
    union all select subject, receiver, amount from share_transfer) move`
  return {
    holdings: await rows(sql`
      select jsonb_build_object('subject', subject, 'holder', holder, 'amount', sum(moved), 'ever_bought', exists (
        select 1 from trade where trade.subject = move.subject and trade.trader = move.holder and is_buy)) as row
      from ${moves} group by subject, holder having sum(moved) <> 0 order by subject, holder`),
    costs: await replayMoves(db),
    traders: await rows(sql`
      select jsonb_build_object('address', trader, 'volume_wei', sum(price_wei), 'trades_count', count(*),
        'subjects_count', count(distinct subject) filter (where is_buy), 'latest_trade_at', max(at)) as row
      from trade group by trader order by trader`),
    agents: await rows(sql`
      select jsonb_build_object('subject', agent.subject,
        'supply', coalesce((select sum(moved) from ${moves} where move.subject = agent.subject), 0),
        'holders', (select count(*) from (select holder from ${moves} where move.subject = agent.subject
          group by holder having sum(moved) > 0) held),
        'volume', coalesce((select sum(price_wei) from trade where trade.subject = agent.subject), 0),
        'trades', (select count(*) from trade where trade.subject = agent.subject),
        'launched', (select at from share_launch where share_launch.subject = agent.subject),
        'value', coalesce((select sum((s * (s - 1) * (2 * s - 1) - (s - n) * (s - n - 1) * (2 * (s - n) - 1)) / 6)
          * 62500000000000 from (select (select sum(moved) from ${moves} where move.subject = held.subject) as s, n from (
            select subject, sum(moved) as n from ${moves} where holder = agent.wallet_address group by subject) held) it
          ), 0)) as row
      from agent order by agent.subject`),
  }
}

type MoveRow = Omit<Move, 'paidWei' | 'position'> &
  Record<'wallet' | 'subject' | 'at' | 'position' | 'paid_wei', string>

/** Replays every move from the first one on, and returns the costs after each. */
async function replayMoves(db: Db): Promise<unknown[]> {
  const moves = await db.many<MoveRow>(sql`
    select wallet, subject, position, to_jsonb(at) #>> '{}' as at, kind, amount, paid_wei from (
      select trader as wallet, subject, position, at, case when is_buy then 'bought' else 'sold' end as kind, amount,
        price_wei + (case when is_buy then 1 else -1 end) * (protocol_fee_wei + subject_fee_wei) as paid_wei
      from trade
      union all select receiver, subject, position, at, 'received', amount, 0 from share_transfer
      union all select sender, subject, position, at, 'sent', amount, 0 from share_transfer) move
    order by position, wallet`)
  const states = new Map<string, { position: Position; came: number; paidWei: bigint }>()
  return moves.map(({ wallet, subject, at, paid_wei, position, ...rest }) => {
    const move = { ...rest, paidWei: BigInt(paid_wei), position: BigInt(position) }
    const key = `${wallet} ${subject}`
    const state = states.get(key) ?? { position: openPosition(), came: 0, paidWei: 0n }
    states.set(key, state)
    state.position.apply(move)
    if (isComing(move)) state.came += move.amount
    if (move.kind === 'bought') state.paidWei += move.paidWei
    const { amount, costBasisWei, realisedWei, oldest } = state.position
    return {
      wallet,
      subject,
      position: Number(position),
      at,
      came: isComing(move) ? move.amount : 0,
      came_wei: String(isComing(move) ? move.paidWei : 0n),
      came_in_all: state.came,
      amount,
      cost_wei: String(costBasisWei),
      realised_wei: String(realisedWei),
      paid_wei: String(state.paidWei),
      oldest_position: oldest ? Number(oldest.position) : null,
      oldest_amount: oldest?.amount ?? null,
      oldest_wei: oldest ? String(oldest.costWei) : null,
    }
  })
}
