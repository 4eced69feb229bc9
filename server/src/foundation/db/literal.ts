import sql, { type Sql } from 'sql-template-tag'

/** A value without quotes, commas, braces or backslashes: hex, numbers, UUIDs, booleans. */
type Plain = string | number | bigint | boolean | null

/**
 * An array as PostgreSQL writes it, for `unnest(${literal(values)}::integer[])`. Several times as fast as the driver's
 * own way, which has to quote; so it takes nothing that would need quotes.
 */
export function literal(values: readonly Plain[]): string {
  return `{${values.map((value) => (value === null ? 'null' : value)).join(',')}}`
}

// Half of a surrogate pair, as JSON writes it; or a backslash of somebody's own before such a word.
const BROKEN = /\\ud[89a-f]/i

/**
 * Rows for `json_to_recordset`. Half a surrogate pair, which PostgreSQL takes for no text at all, becomes U+FFFD, as it
 * does in parameters of other types.
 */
function jsonRows(rows: readonly object[]): string {
  const json = JSON.stringify(rows)
  if (!BROKEN.test(json)) return json
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? Buffer.from(value).toString() : value))
}

/**
 * A query for asks, each with its place `n` and the columns that are declared. The condition holds for all of them: it
 * makes the planner expect one row instead of a hundred, so that it looks up what belongs to each in an index; and expect
 * the same whatever the asks are, so that it keeps the plan.
 */
export function askRows(asks: readonly object[], columns: Sql): Sql {
  const rows = asks.map((ask, n) => ({ n, ...ask }))
  return sql`
    select * from json_to_recordset(${jsonRows(rows)}::json) as it (n integer, ${columns}) where n between 0 and 1000000`
}
