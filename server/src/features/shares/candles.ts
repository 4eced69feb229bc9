import sql, { type Sql } from 'sql-template-tag'
import type { Db } from '../../foundation/db/db.js'

/** Lengths of the candles that are kept, in minutes. Each is a multiple of the one before. */
export const KEPT_MINUTES = [1, 60, 1_440] as const

/** The start of the step that a time belongs to, in SQL. The origin is a Monday, so that weeks begin on Mondays. */
export const stepAt = (minutes: number | Sql, at: Sql) =>
  sql`date_bin(make_interval(mins => ${minutes}), ${at}, timestamptz '2001-01-01 00:00:00+00')`

/** Merges the candles of a group, in SQL. `at` and `position` order them. */
export const mergedCandle = sql`
  (array_agg(open order by at, position))[1] as open, max(high) as high, min(low) as low,
  (array_agg(close order by at desc, position desc))[1] as close,
  sum(volume_wei) as volume_wei, sum(trades)::int as trades`

/**
 * Brings the candles up to date with the stored trades and transfers, after these were added or deleted. They are the newest
 * ones of their agents, so that nothing before the first of them has changed.
 */
export async function keepCandles(
  db: Db,
  moves: readonly { readonly subject: string; readonly time: number }[],
): Promise<void> {
  const times = new Map<string, number>()
  for (const { subject, time } of moves) times.set(subject, Math.min(time, times.get(subject) ?? time))
  if (times.size === 0) return
  const changed = sql`unnest(${[...times.keys()]}::text[], ${[...times.values()].map(dateOf)}::timestamptz[])
    as changed (subject, since)`
  // Says no more than `changed` does, but lets the database know that few rows are meant.
  const earliest = sql`${dateOf(Math.min(...times.values()))}::timestamptz`
  const since = (minutes: number, at: Sql) =>
    sql`${at} >= ${stepAt(minutes, sql`changed.since`)} and ${at} >= ${stepAt(minutes, earliest)}`
  for (const [i, minutes] of KEPT_MINUTES.entries()) {
    await db.run(sql`
      delete from share_candle using ${changed}
      where share_candle.subject = changed.subject and minutes = ${minutes} and ${since(minutes, sql`start_at`)}`)
    const shorter = KEPT_MINUTES[i - 1]
    const candles =
      shorter === undefined
        ? eventCandles(changed, since(minutes, sql`at`))
        : sql`
          select share_candle.*, start_at as at, 0 as position from ${changed} join share_candle using (subject)
          where minutes = ${shorter} and ${since(minutes, sql`start_at`)}`
    await db.run(sql`
      insert into share_candle (subject, minutes, start_at, open, high, low, close, volume_wei, trades, holders, last_at)
      select subject, ${minutes}::int, ${stepAt(minutes, sql`at`)}, ${mergedCandle},
        (array_agg(holders order by at desc, position desc))[1], max(last_at)
      from (${candles}) candle group by 1, 3`)
  }
}

const dateOf = (time: number) => new Date(time * 1000)

/** Every trade and transfer since the minute of the first change, as a candle of its own. */
function eventCandles(changed: Sql, isSince: Sql): Sql {
  return sql`
    select subject, at, position, supply - moved as open, greatest(supply, supply - moved) as high,
      least(supply, supply - moved) as low, supply as close, volume_wei, trades, holders, at as last_at
    from (
      select changed.subject, event.*, coalesce(before.close, 0) + sum(moved) over earlier as supply,
        coalesce(before.holders, 0) + sum(opened) over earlier as holders
      from ${changed} cross join lateral (
        select position, at, moved, price_wei as volume_wei, 1 as trades,
          (balance > 0)::int - (balance - moved > 0)::int as opened
        from trade cross join lateral (select case when is_buy then amount else -amount end as moved) of_supply
        where subject = changed.subject and ${isSince}
        union all
        select position, at, 0, 0, 0, (sender_balance > 0)::int - (receiver_balance > amount)::int
        from share_transfer where subject = changed.subject and ${isSince}
      ) event left join lateral (
        select close, holders from share_candle where subject = changed.subject and minutes = 1
          and start_at < ${stepAt(1, sql`changed.since`)}
        order by start_at desc limit 1) before on true
      window earlier as (partition by changed.subject order by position)
    ) state`
}
