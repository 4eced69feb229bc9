import type { Candle, ChartInterval, HolderPoint } from '@rookery/api'
import { UNIT_WEI } from '@rookery/contracts'
import sql, { join, type Sql } from 'sql-template-tag'
import { formatEther } from 'viem'
import type { Db } from '../../foundation/db/db.js'
import { KEPT_MINUTES, mergedCandle, stepAt } from './candles.js'

/** A period of time, divided into steps. */
export interface Span {
  readonly interval: ChartInterval
  readonly since?: string
  readonly until?: string
}

const MOST_STEPS = 1_000

const lengths: Readonly<Record<ChartInterval, number>> = {
  '1m': 1,
  '5m': 5,
  '15m': 15,
  '1h': 60,
  '4h': 240,
  '1d': 1_440,
  '1w': 10_080,
}

/** The length of a span's steps, and of the kept candles that they consist of, in minutes. */
function lengthsOf({ interval }: Span): { readonly length: number; readonly kept: number } {
  const length = lengths[interval]
  return { length, kept: Math.max(...KEPT_MINUTES.filter((minutes) => length % minutes === 0)) }
}

const timeOf = (text: string) => sql`${new Date(text)}::timestamptz`

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
  const rows = await db.many<CandleRow>(candlesQuery(subject, span))
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

/** Reads as many kept candles as the newest steps can consist of, however many trades there are. */
function candlesQuery(subject: string, span: Span): Sql {
  const { length, kept } = lengthsOf(span)
  const { since, until } = span
  const from = since === undefined ? sql`'-infinity'::timestamptz` : stepAt(length, timeOf(since))
  const candles = (minutes: number) => sql`
    select start_at as at, 0::bigint as position, open, high, low, close, volume_wei, trades from share_candle
    where subject = ${subject} and minutes = ${minutes} and trades > 0 and start_at >= ${from}`
  const isBefore = until === undefined ? sql`true` : sql`start_at < ${stepAt(kept, timeOf(until))}`
  const newest = sql`${candles(kept)} and ${isBefore} order by start_at desc limit ${(MOST_STEPS * length) / kept}`
  const rest = until === undefined ? [] : restOf(subject, { kept, from, until: timeOf(until), candles })
  return sql`
    select ${stepAt(length, sql`at`)} as start_at, ${mergedCandle}
    from (${join([sql`(${newest})`, ...rest], ' union all ')}) candle
    group by 1 order by 1 desc limit ${MOST_STEPS}`
}

interface Rest {
  readonly kept: number
  readonly from: Sql
  readonly until: Sql
  readonly candles: (minutes: number) => Sql
}

/** What happened between the last kept candle that is over by the end of a span, and that end: ever shorter candles, then trades. */
function restOf(subject: string, { kept, from, until, candles }: Rest): Sql[] {
  const before = sql`(case when is_buy then supply - amount else supply + amount end)`
  const shorter = KEPT_MINUTES.flatMap((minutes, i) => {
    const longer = KEPT_MINUTES[i + 1]
    if (longer === undefined || longer > kept) return []
    return [sql`${candles(minutes)} and start_at >= ${stepAt(longer, until)} and start_at < ${stepAt(minutes, until)}`]
  })
  const trades = sql`
    select at, position, ${before}, greatest(supply, ${before}), least(supply, ${before}), supply, price_wei, 1
    from trade where subject = ${subject} and at >= greatest(${from}, ${stepAt(1, until)}) and at <= ${until}`
  return [...shorter, trades]
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
  const rows = await db.many<PointRow>(holderPointsQuery(subject, span))
  return rows.reverse().map(({ start_at, holders, supply }) => ({ startAt: start_at.toISOString(), holders, supply }))
}

/** Reads the last kept candle of one step after the other, newest first, until there are enough that changed something. */
function holderPointsQuery(subject: string, span: Span): Sql {
  const { length, kept } = lengthsOf(span)
  const from = span.since === undefined ? sql`'-infinity'::timestamptz` : stepAt(length, timeOf(span.since))
  const until = span.until === undefined ? sql`'infinity'::timestamptz` : timeOf(span.until)
  const end = span.until === undefined ? until : sql`${stepAt(length, until)} + make_interval(mins => ${length})`
  const lastBefore = (end: Sql) => sql`
    select ${stepAt(length, sql`start_at`)} as start_at, last_at, holders, close as supply from share_candle
    where subject = ${subject} and minutes = ${kept} and share_candle.start_at < ${end}
    order by share_candle.start_at desc limit 1`
  return sql`
    with recursive step as (
      select newest.*, 0 as changes from (${lastBefore(end)}) newest
      union all
      select before.*, changes + ((before.holders, before.supply) <> (step.holders, step.supply))::int
      from step cross join lateral (${lastBefore(sql`step.start_at`)}) before
      where changes <= ${MOST_STEPS} and step.start_at >= ${from}
    ), point as (
      select *, lead(holders) over newest_first as holders_before, lead(supply) over newest_first as supply_before
      from step window newest_first as (order by start_at desc)
    )
    select start_at, holders, supply from point
    where (holders is distinct from holders_before or supply is distinct from supply_before) and start_at >= ${from}
      and last_at <= ${until}
    order by start_at desc limit ${MOST_STEPS}`
}
