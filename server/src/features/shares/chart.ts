import type { Candle, ChartInterval, HolderPoint } from '@rookery/api'
import { UNIT_WEI } from '@rookery/contracts'
import sql, { type Sql } from 'sql-template-tag'
import { formatEther } from 'viem'
import type { Db } from '../../foundation/db/db.js'

/** A period of time, divided into steps. */
export interface Span {
  readonly interval: ChartInterval
  readonly since?: string
  readonly until?: string
}

const MOST_STEPS = 1_000

const lengths: Readonly<Record<ChartInterval, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
  '1w': '7 days',
}

// The origin is a Monday, so that weeks begin on Mondays.
const stepOf = ({ interval }: Span, at: Sql) =>
  sql`date_bin(${lengths[interval]}::interval, ${at}, timestamptz '2001-01-01 00:00:00+00')`

function periodFilter(span: Span): Sql {
  const { since, until } = span
  const from = since === undefined ? sql`true` : sql`at >= ${stepOf(span, sql`${new Date(since)}::timestamptz`)}`
  const to = until === undefined ? sql`true` : sql`at <= ${new Date(until)}::timestamptz`
  return sql`${from} and ${to}`
}

interface CandleRow {
  start_at: Date
  open: number
  high: number
  low: number
  close: number
  volume_wei: string
  trades: number
}

/** Prices of an agent's shares over time, oldest first. */
export async function listCandles(db: Db, subject: string, span: Span): Promise<Candle[]> {
  const before = sql`(case when is_buy then supply - amount else supply + amount end)`
  // The price is a rising function of the supply, so the highest supply has the highest price.
  const rows = await db.many<CandleRow>(sql`
    select ${stepOf(span, sql`at`)} as start_at,
      (array_agg(${before} order by position))[1] as open,
      greatest(max(supply), max(${before})) as high,
      least(min(supply), min(${before})) as low,
      (array_agg(supply order by position desc))[1] as close,
      sum(price_wei) as volume_wei, count(*)::int as trades
    from trade where subject = ${subject} and ${periodFilter(span)}
    group by 1 order by 1 desc limit ${MOST_STEPS}`)
  return rows.reverse().map((row) => ({
    startAt: row.start_at.toISOString(),
    openBNB: nextPriceBnb(row.open),
    highBNB: nextPriceBnb(row.high),
    lowBNB: nextPriceBnb(row.low),
    closeBNB: nextPriceBnb(row.close),
    volumeBNB: formatEther(BigInt(row.volume_wei)),
    trades: row.trades,
  }))
}

/** The price of the next share at a supply, in BNB. */
export function nextPriceBnb(supply: number): string {
  return formatEther(BigInt(supply) ** 2n * UNIT_WEI)
}

interface PointRow {
  start_at: Date
  holders: number
  supply: number
}

/** The number of holders of an agent's shares over time, oldest first. */
export async function listHolderPoints(db: Db, subject: string, span: Span): Promise<HolderPoint[]> {
  const rows = await db.many<PointRow>(sql`
    with change as (
      select position, at, moved, (balance > 0)::int - (balance - moved > 0)::int as holders
      from (select *, case when is_buy then amount else -amount end as moved from trade where subject = ${subject}) trade
      union all
      select position, at, 0, (sender_balance > 0)::int - (receiver_balance > amount)::int
      from share_transfer where subject = ${subject}
    ), state as (
      select position, at, sum(holders) over (order by position)::int as holders,
        sum(moved) over (order by position)::int as supply
      from change
    ), step as (
      select distinct on (start_at) start_at, at, holders, supply
      from (select ${stepOf(span, sql`at`)} as start_at, * from state) state order by start_at, position desc
    ), point as (
      select *, lag(holders) over (order by start_at) as holders_before, lag(supply) over (order by start_at) as supply_before
      from step
    )
    select start_at, holders, supply from point
    where (holders is distinct from holders_before or supply is distinct from supply_before) and ${periodFilter(span)}
    order by start_at desc limit ${MOST_STEPS}`)
  return rows.reverse().map(({ start_at, holders, supply }) => ({ startAt: start_at.toISOString(), holders, supply }))
}
