import type { ChartInterval } from '@rookery/api'
import sql, { type Sql } from 'sql-template-tag'
import { formatEther } from 'viem'
import { expect } from 'vitest'
import { listCandles, listHolderPoints, nextPriceBnb, type Span } from '../src/features/shares/chart.js'
import type { Db } from '../src/foundation/db/db.js'

export const INTERVALS: readonly ChartInterval[] = ['1m', '5m', '15m', '1h', '4h', '1d', '1w']
const lengths = ['1 minute', '5 minutes', '15 minutes', '1 hour', '4 hours', '1 day', '7 days']

/** Compares the candles and the holders of a span with aggregates over all trades and transfers. */
export async function expectCharts(db: Db, subject: string, span: Span): Promise<void> {
  expect(await listCandles(db, subject, span), JSON.stringify(span)).toEqual(await aggregateCandles(db, subject, span))
  expect(await listHolderPoints(db, subject, span), JSON.stringify(span)).toEqual(
    await aggregateHolders(db, subject, span),
  )
}

const stepOf = ({ interval }: Span, at: Sql) =>
  sql`date_bin(${lengths[INTERVALS.indexOf(interval)]}::interval, ${at}, timestamptz '2001-01-01 00:00:00+00')`

const inSpan = (span: Span) => sql`
  at >= ${stepOf(span, sql`${new Date(span.since ?? 0)}::timestamptz`)} and at <= ${new Date(span.until ?? '9999-01-01')}`

type Prices = Record<'open' | 'high' | 'low' | 'close', number>

async function aggregateCandles(db: Db, subject: string, span: Span): Promise<unknown[]> {
  const before = sql`(case when is_buy then supply - amount else supply + amount end)`
  const rows = await db.many<Prices & { start_at: Date; volume_wei: string; trades: number }>(sql`
    select ${stepOf(span, sql`at`)} as start_at, (array_agg(${before} order by position))[1] as open,
      greatest(max(supply), max(${before})) as high, least(min(supply), min(${before})) as low,
      (array_agg(supply order by position desc))[1] as close, sum(price_wei) as volume_wei, count(*)::int as trades
    from trade where subject = ${subject} and ${inSpan(span)} group by 1 order by 1 desc limit 1000`)
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

async function aggregateHolders(db: Db, subject: string, span: Span): Promise<unknown[]> {
  const rows = await db.many<{ start_at: Date; holders: number; supply: number }>(sql`
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
    where (holders is distinct from holders_before or supply is distinct from supply_before) and ${inSpan(span)}
    order by start_at desc limit 1000`)
  return rows.reverse().map(({ start_at, holders, supply }) => ({ startAt: start_at.toISOString(), holders, supply }))
}
