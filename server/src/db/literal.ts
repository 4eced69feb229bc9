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
export function jsonRows(rows: readonly object[]): string {
  const json = JSON.stringify(rows)
  if (!BROKEN.test(json)) return json
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? Buffer.from(value).toString() : value))
}
