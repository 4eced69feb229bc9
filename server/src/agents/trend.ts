import sql, { type Sql } from 'sql-template-tag'

/**
 * A score that fades with time and can be kept in an index. Each event of weight w at time t counts w * 2^(t / half-life);
 * what is stored is the base-2 logarithm of their sum. As everything fades at one rate, the order never has to be
 * computed anew: a row changes only when something happens to it. See docs/trending.md.
 */
const HALF_LIFE_MS = 24 * 60 * 60_000

// Beyond 2^60 the smaller part of a sum is lost in rounding; PostgreSQL would refuse the underflow.
const sum = (a: Sql, b: Sql) => sql`greatest(${a}, ${b}) + ln(1 + power(2, -least(abs(${a} - ${b}), 60))) / ln(2)`
const difference = (a: Sql, b: Sql) =>
  sql`case when ${a} - ${b} > 1e-9 then ${a} + ln(1 - power(2, -least(${a} - ${b}, 60))) / ln(2) else '-infinity' end`

function logWeight(at: Date, weight: number): Sql {
  return sql`${at.getTime() / HALF_LIFE_MS + Math.log2(weight)}::double precision`
}

/** The score with one more event. */
export function trendWith(column: Sql, at: Date, weight: number): Sql {
  return sum(column, logWeight(at, weight))
}

/** The score as if an event had not been. */
export function trendWithout(column: Sql, at: Date, weight: number): Sql {
  return difference(column, logWeight(at, weight))
}
