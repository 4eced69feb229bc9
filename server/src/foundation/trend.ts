import sql, { type Sql } from 'sql-template-tag'

/**
 * A score that decays with time and can be indexed. Each event of weight w at time t counts w * 2^(t / half-life); the
 * stored value is the base-2 logarithm of their sum. As all scores decay at the same rate, their order never has to be
 * recomputed: a row changes only when something happens to it. See docs/trending.md.
 */
const DAY_MS = 24 * 60 * 60_000

// Sums and differences of values stored as logarithms. Beyond 2^60 the smaller term is lost in rounding, and PostgreSQL would refuse the underflow.
export const logSum = (a: Sql, b: Sql) =>
  sql`greatest(${a}, ${b}) + ln(1 + power(2, -least(abs(${a} - ${b}), 60))) / ln(2)`
export const logDifference = (a: Sql, b: Sql) =>
  sql`case when ${a} - ${b} > 1e-9 then ${a} + ln(1 - power(2, -least(${a} - ${b}, 60))) / ln(2) else '-infinity' end`

/** The value of one event, as a base-2 logarithm. */
export function trendOf(at: Date, weight = 1, halfLifeMs = DAY_MS): number {
  return at.getTime() / halfLifeMs + Math.log2(weight)
}

const event = (value: number) => sql`${value}::double precision`

/** The value of an event of this weight that happens now. */
export function trendOfWeight(weight: Sql, now: Date, halfLifeMs = DAY_MS): Sql {
  return sql`(${event(trendOf(now, 1, halfLifeMs))} + ln(${weight}) / ln(2))`
}

/**
 * The weight of a past event relative to one that happens now. Such weights can be summed. Beyond a thousand half-lives the
 * weight is too small for PostgreSQL to compute, and for anyone to notice.
 */
export function weightOfPast(moment: Sql, now: Date, halfLifeMs = DAY_MS): Sql {
  // Not `extract`, whose numeric values take several times longer to divide.
  const age = sql`date_part('epoch', ${now}::timestamptz - ${moment}) * 1000 / ${halfLifeMs}::double precision`
  return sql`power(2::double precision, -least(greatest(${age}, 0), 1000))`
}

/**
 * A statement that changes the trends of agents. `weights` is a query for agent_id and weight, with each agent once. Every
 * agent has its row from the start; all statements lock rows in id order, so that they cannot deadlock.
 */
export function trendUpdate(weights: Sql, change: typeof logSum): Sql {
  return sql`
    insert into agent_trend (agent_id, trend) select agent_id, weight from (${weights}) gained order by agent_id
    on conflict (agent_id) do update set trend = ${change(sql`agent_trend.trend`, sql`excluded.trend`)}`
}

/** The score changed by a weight relative to an event that happens now, which is negative for what is undone. */
export function logChange(score: Sql, weight: Sql, now: Date, halfLifeMs = DAY_MS): Sql {
  return sql`case
    when ${weight} > 0 then ${logSum(score, trendOfWeight(weight, now, halfLifeMs))}
    when ${weight} < 0 then ${logDifference(score, trendOfWeight(sql`(-${weight})`, now, halfLifeMs))}
    else ${score} end`
}

/**
 * Parts of a `with` that change the trends of agents by `weights`, a query for agent_id and weight relative to an event that
 * happens now.
 */
export function trendParts(weights: Sql, now: Date): Sql {
  return sql`
    trend_change as materialized (
      select agent_id, sum(weight) as weight from (${weights}) change group by agent_id having sum(weight) <> 0
      order by agent_id),
    trended as (
      update agent_trend set trend = ${logChange(sql`trend`, sql`trend_change.weight`, now)} from trend_change
      where agent_trend.agent_id = trend_change.agent_id)`
}

/** The score with an event added. */
export function trendWith(column: Sql, at: Date, weight: number, halfLifeMs?: number): Sql {
  return logSum(column, event(trendOf(at, weight, halfLifeMs)))
}

/** The score with an event removed. */
export function trendWithout(column: Sql, at: Date, weight: number, halfLifeMs?: number): Sql {
  return logDifference(column, event(trendOf(at, weight, halfLifeMs)))
}
