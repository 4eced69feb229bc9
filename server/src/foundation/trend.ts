import sql, { type Sql } from 'sql-template-tag'

/**
 * A score that fades with time and can be kept in an index. Each event of weight w at time t counts w * 2^(t / half-life);
 * what is stored is the base-2 logarithm of their sum. As everything fades at one rate, the order never has to be
 * computed anew: a row changes only when something happens to it. See docs/trending.md.
 */
const DAY_MS = 24 * 60 * 60_000

// Sums and differences of what is stored as logarithms. Beyond 2^60 the smaller part of a sum is lost in rounding, and PostgreSQL would refuse the underflow.
export const logSum = (a: Sql, b: Sql) =>
  sql`greatest(${a}, ${b}) + ln(1 + power(2, -least(abs(${a} - ${b}), 60))) / ln(2)`
export const logDifference = (a: Sql, b: Sql) =>
  sql`case when ${a} - ${b} > 1e-9 then ${a} + ln(1 - power(2, -least(${a} - ${b}, 60))) / ln(2) else '-infinity' end`

/** Where one event stands on the scale, as a base-2 logarithm. */
export function trendOf(at: Date, weight = 1, halfLifeMs = DAY_MS): number {
  return at.getTime() / halfLifeMs + Math.log2(weight)
}

const event = (value: number) => sql`${value}::double precision`

/** Where an event of so much weight stands on the scale, when it is now. */
export function trendOfWeight(weight: Sql, now: Date, halfLifeMs = DAY_MS): Sql {
  return sql`(${event(trendOf(now, 1, halfLifeMs))} + ln(${weight}) / ln(2))`
}

/**
 * What an event of the past weighs beside one of now: such weights can be summed. Beyond a thousand half-lives it is too
 * small for PostgreSQL to compute, and for anyone to notice.
 */
export function weightOfPast(moment: Sql, now: Date, halfLifeMs = DAY_MS): Sql {
  const age = sql`(extract(epoch from ${now}::timestamptz - ${moment}) * 1000 / ${halfLifeMs})::double precision`
  return sql`power(2::double precision, -least(greatest(${age}, 0), 1000))`
}

/**
 * A statement that changes the trends of agents. `weights` is a query for agent_id and weight, an agent once. Every agent
 * has its row from the start; rows are locked in the order of ids by all, so that nobody waits in a circle.
 */
export function changingTrends(weights: Sql, change: typeof logSum): Sql {
  return sql`
    insert into agent_trend (agent_id, trend) select agent_id, weight from (${weights}) gained order by agent_id
    on conflict (agent_id) do update set trend = ${change(sql`agent_trend.trend`, sql`excluded.trend`)}`
}

/** The score with one more event. */
export function trendWith(column: Sql, at: Date, weight: number, halfLifeMs?: number): Sql {
  return logSum(column, event(trendOf(at, weight, halfLifeMs)))
}

/** The score as if an event had not been. */
export function trendWithout(column: Sql, at: Date, weight: number, halfLifeMs?: number): Sql {
  return logDifference(column, event(trendOf(at, weight, halfLifeMs)))
}
