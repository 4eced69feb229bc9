import sql, { type Sql } from 'sql-template-tag'

/** Values that PostgreSQL reads without quotes. */
type Exact = number | bigint | boolean | null

// Ids, addresses, hashes and names of types. Anything else could end the value or begin another, and a bare null is no text.
const TOKEN = /^(?!null$)[\w-]+$/i

/**
 * An array as PostgreSQL writes it, for `unnest(${literal(values)}::integer[])`. Several times as fast as the driver's
 * own way, which has to quote; so it takes exact values, or strings of letters, digits, `_` and `-`, and refuses others.
 */
export function literal(values: readonly Exact[] | readonly string[]): string {
  const texts = values.map((value) => {
    if (typeof value === 'string' && !TOKEN.test(value))
      throw new TypeError('An array takes no value that needs quotes')
    return value === null ? 'null' : value
  })
  return `{${texts.join(',')}}`
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
export function requestRows(asks: readonly object[], columns: Sql): Sql {
  const rows = asks.map((ask, n) => ({ n, ...ask }))
  return sql`
    select * from json_to_recordset(${jsonRows(rows)}::json) as it (n integer, ${columns}) where n between 0 and 1000000`
}
