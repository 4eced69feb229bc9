import sql, { type Sql } from 'sql-template-tag'

/** Values that PostgreSQL reads without quotes. */
type Exact = number | bigint | boolean | null

// Ids, addresses, hashes and type names. Anything else could end the value or begin another; a bare null is not text.
const TOKEN = /^(?!null$)[\w-]+$/i

/**
 * An array as PostgreSQL writes it, for `unnest(${literal(values)}::integer[])`. Several times faster than the driver's
 * own encoding, which has to quote; so it accepts only exact values, or strings of letters, digits, `_` and `-`.
 */
export function literal(values: readonly Exact[] | readonly string[]): string {
  const texts = values.map((value) => {
    if (typeof value === 'string' && !TOKEN.test(value))
      throw new TypeError('An array literal takes no value that needs quotes')
    return value === null ? 'null' : value
  })
  return `{${texts.join(',')}}`
}

// Half of a surrogate pair as JSON writes it, or a literal backslash followed by the same letters.
const BROKEN = /\\ud[89a-f]/i

/**
 * Rows for `json_to_recordset`. Half a surrogate pair, which PostgreSQL rejects, becomes U+FFFD, as it does in parameters
 * of other types.
 */
function jsonRows(rows: readonly object[]): string {
  const json = JSON.stringify(rows)
  if (!BROKEN.test(json)) return json
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? Buffer.from(value).toString() : value))
}

/**
 * A query that returns the requests of a batch as rows, each with its number `n` and the given columns. The condition is
 * true for all of them: it makes the planner expect one row instead of a hundred, so that it uses indexes to join; and
 * expect the same for every batch, so that it keeps the plan.
 */
export function requestRows(requests: readonly object[], columns: Sql): Sql {
  const rows = requests.map((request, n) => ({ n, ...request }))
  return sql`
    select * from json_to_recordset(${jsonRows(rows)}::json) as request (n integer, ${columns}) where n between 0 and 1000000`
}
